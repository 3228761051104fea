/* Memory that processes share by name: shm_open, a file, System V. Each adds its letter, unlocked,
 * and named semaphores count. */
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/shm.h>

#include "race.h"

#define PROCESSES 4
#define ROUNDS	  10
#define KINDS	  3

struct log {
	volatile int count;
	char letters[PROCESSES * ROUNDS + 1];
};

static int segment;

static struct log *map(int kind)
{
	void *memory;
	int fd;

	if (kind == 2)
		return shmat(segment, NULL, 0);
	fd = kind ? open("file", O_RDWR | O_CREAT, 0600) : shm_open("/log", O_RDWR | O_CREAT, 0600);
	must(ftruncate(fd, 4096) == 0);
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(memory != MAP_FAILED);
	close(fd);
	return memory;
}

static void *work(void *number)
{
	sem_t *turn = sem_open("/turn", O_CREAT, 0600, 1);

	for (int kind = 0; kind < KINDS; kind++) {
		struct log *log = map(kind);

		for (int i = 0; i < ROUNDS; i++) {
			int at = log->count;

			must(kind != 1 || sem_wait(turn) == 0);
			sched_yield();
			log->letters[at] = (char)('a' + (long)number);
			log->count = at + 1;
			must(kind != 1 || sem_post(turn) == 0);
		}
	}
	return NULL;
}

int main(void)
{
	static const char *const names[] = { "shm_open", "a file", "System V" };

	segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	must(segment >= 0);
	in_processes(PROCESSES, work);
	for (int kind = 0; kind < KINDS; kind++)
		printf("%s: %s\n", names[kind], map(kind)->letters);
	must(shm_unlink("/log") == 0 && sem_unlink("/turn") == 0);
	must(shmctl(segment, IPC_RMID, NULL) == 0);
	return 0;
}
