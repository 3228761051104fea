/* Memory that processes come to share by name while others use it: what these were doing at that
 * moment, and whether they have threads, is nobody's luck. The last one shares a file with one that
 * shares another with the rest. And all that while somebody has more such files than anybody counts. */
#include <fcntl.h>
#include <time.h>

#include "race.h"

#define PROCESSES 4
#define ROUNDS	  12000
#define FILES	  2
#define MANY	  1100

struct log {
	volatile int count;
	char letters[PROCESSES * ROUNDS + 1];
};

static const char *const names[FILES] = { "first", "second" };

static struct log *map(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);
	void *memory;

	must(ftruncate(fd, sizeof(struct log)) == 0);
	memory = mmap(NULL, sizeof(struct log), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(memory != MAP_FAILED);
	close(fd);
	return memory;
}

static long long now(void)
{
	struct timespec time;

	must(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Each of them looks at the clock and writes its letter, unlocked. */
static void use(struct log *log, long number)
{
	for (int i = 0; i < ROUNDS; i++) {
		int at = log->count;

		now();
		log->letters[at] = (char)('a' + number);
		log->count = at + 1;
	}
}

static void *idle(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		now();
	return unused;
}

static void *work(void *number)
{
	long who = (long)number;
	struct log *log;
	pthread_t thread;

	if (who == 1)
		must(pthread_create(&thread, NULL, idle, NULL) == 0);
	for (int i = 0; i < who * 500; i++)
		now();
	compute(who * 300000);
	log = map(names[who >= 2]);
	if (who == 2)
		use(map(names[0]), who);
	use(log, who);
	printf("%c: %lld\n", (char)('a' + who), now());
	fflush(stdout);
	if (who == 1)
		must(pthread_join(thread, NULL) == 0);
	return NULL;
}

/* How often each letter stands there before another one does. */
static void print(int file)
{
	const struct log *log = map(names[file]);
	int run = 0;

	printf("%s:", names[file]);
	for (int i = 0; i < log->count; i++) {
		run++;
		if (log->letters[i] == log->letters[i + 1])
			continue;
		printf(" %c%d", log->letters[i], run);
		run = 0;
	}
	putchar('\n');
}

/* Until its parent closes the pipe. */
static void hoard(int ready, int over)
{
	char name[16];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%d", i);
		map(name);
		must(unlink(name) == 0);
	}
	must(write(ready, "!", 1) == 1);
	must(read(over, name, 1) == 0);
	_exit(0);
}

int main(void)
{
	int ready[2], over[2];
	char byte;

	must(pipe(ready) == 0 && pipe(over) == 0);
	if (fork() == 0) {
		close(over[1]);
		hoard(ready[1], over[0]);
	}
	must(read(ready[0], &byte, 1) == 1);
	in_processes(PROCESSES, work);
	close(over[1]);
	end_processes(1);
	for (int file = 0; file < FILES; file++)
		print(file);
	return 0;
}
