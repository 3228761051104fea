/* select over two pipes and three processes. Without a timeout it waits for whoever writes; with
 * one it gives up at the right logical time, before a child that sleeps longer writes, and not
 * before one that sleeps less. */
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A child that writes its pid when so much time has passed. */
static pid_t writer(const int ends[2], double delay)
{
	pid_t child = fork();
	struct timespec time = { (time_t)delay, (long)(delay * 1e9) % 1000000000 };

	must(child >= 0);
	if (child > 0)
		return child;
	nanosleep(&time, NULL);
	dprintf(ends[1], "hello from %d", getpid());
	_exit(0);
}

static void take(int from, const char *name)
{
	char text[100];
	ssize_t n = read(from, text, sizeof(text));

	must(n >= 0);
	printf("  %s: %.*s\n", name, (int)n, text);
}

static int look(int pipes[2][2], const char *label, struct timeval *timeout)
{
	double start = seconds();
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipes[0][0], &set);
	FD_SET(pipes[1][0], &set);
	int ready = select(FD_SETSIZE, &set, NULL, NULL, timeout);

	printf("%s: %d ready after about %.1f s\n", label, ready, seconds() - start);
	if (FD_ISSET(pipes[0][0], &set) && ready > 0)
		take(pipes[0][0], "first pipe");
	if (FD_ISSET(pipes[1][0], &set) && ready > 0)
		take(pipes[1][0], "second pipe");
	return ready;
}

int main(void)
{
	struct timeval none = { 0, 0 }, short_time = { 0, 300000 }, long_time = { 5, 0 };
	int pipes[2][2];

	must(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
	printf("process %d\n", getpid());
	look(pipes, "no time", &none);
	look(pipes, "short time, nobody writes", &short_time);
	printf("left: %ld.%06ld\n", short_time.tv_sec, short_time.tv_usec);

	writer(pipes[0], 1);
	writer(pipes[1], 2);
	short_time.tv_usec = 500000;
	look(pipes, "short time, others sleep", &short_time);
	look(pipes, "no timeout", NULL);
	look(pipes, "long time", &long_time);
	printf("left: about %.1f\n", (double)long_time.tv_sec + (double)long_time.tv_usec / 1e6);
	must(wait(NULL) > 0 && wait(NULL) > 0);
	return 0;
}
