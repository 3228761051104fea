/* What who maps a file only to read sees of who changes it in memory, as it changes; and one that is
 * allowed to change it later than it mapped it. */
#include <fcntl.h>
#include <time.h>

#include "race.h"

#define ROUNDS 6000
#define SEEN   10

static int fd_of(int flags)
{
	int fd = open("file", flags, 0600);

	must(fd >= 0);
	return fd;
}

static volatile long *map(int flags, int protection)
{
	void *memory = mmap(NULL, 4096, protection, MAP_SHARED, fd_of(flags), 0);

	must(memory != MAP_FAILED);
	return memory;
}

static void look_at_the_clock(void)
{
	struct timespec now;

	must(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
}

static void write_to(volatile long *counter, long step)
{
	for (int i = 0; i < ROUNDS; i++) {
		long value = *counter;

		compute(1000);
		look_at_the_clock();
		*counter = value + step;
	}
}

/* It has its place in time by the memory that it takes meanwhile. */
static void read_from(const volatile long *counter)
{
	for (int i = 0; i < SEEN; i++) {
		printf("%ld ", *counter);
		for (int k = 0; k < 100; k++) {
			void *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			must(munmap(memory, 1 << 20) == 0);
			compute(1000);
		}
	}
	putchar('\n');
	fflush(stdout);
}

static void *work(void *number)
{
	volatile long *memory;

	if ((long)number == 0) {
		write_to(map(O_RDWR, PROT_READ | PROT_WRITE), 1);
	} else if ((long)number == 1) {
		for (int i = 0; i < 1000; i++)
			look_at_the_clock();
		read_from(map(O_RDONLY, PROT_READ));
	} else {
		memory = map(O_RDWR, PROT_NONE);
		must(mprotect((void *)memory, 4096, PROT_READ | PROT_WRITE) == 0);
		write_to(memory, 1000000);
	}
	return NULL;
}

int main(void)
{
	must(ftruncate(fd_of(O_RDWR | O_CREAT), 4096) == 0);
	in_processes(3, work);
	printf("%ld\n", *map(O_RDONLY, PROT_READ));
	return 0;
}
