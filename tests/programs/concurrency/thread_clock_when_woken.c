/* What another process does lets a thread go on that waited for it; the clock of the thread's process
 * does not move before it runs, while another thread looks at it. */
#include "race.h"

static int ends[2];

static void *read_all(void *unused)
{
	char byte;

	while (read(ends[0], &byte, 1) == 1)
		continue;
	return unused;
}

/* The older process is the first to act in each quantum of time. */
static void write_some(void)
{
	for (int i = 0; i < 400; i++) {
		compute(200);
		must(write(ends[1], "x", 1) == 1);
	}
	must(close(ends[1]) == 0 && wait(NULL) > 0);
}

static void look_at_clock(void)
{
	struct timespec now;
	pthread_t thread;

	must(close(ends[1]) == 0);
	must(pthread_create(&thread, NULL, read_all, NULL) == 0);
	for (int i = 0; i < 300; i++) {
		compute(10000);
		must(clock_gettime(CLOCK_MONOTONIC, &now) == 0); /* not in turn */
		must(getppid() > 0);
		if (i % 10 == 0)
			printf("%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	}
	must(pthread_join(thread, NULL) == 0);
}

int main(void)
{
	must(pipe(ends) == 0);
	if (fork())
		write_some();
	else
		look_at_clock();
	return 0;
}
