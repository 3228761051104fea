/* Processes that look at the clock all the time, and are killed: how long they lived, and what time
 * it is for who waited for them; and how far another one is that lives. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "clock.h"
#include "race.h"

#define CHILDREN 12
#define LOOKS	 3000000

static pid_t start(void)
{
	pid_t child = fork();

	must(child >= 0);
	if (child == 0) {
		for (int i = 0; i < LOOKS; i++)
			clock_us();
		pause();
	}
	return child;
}

static long cpu_us(pid_t pid)
{
	struct timespec cpu;
	clockid_t clock;

	must(clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &cpu) == 0);
	return cpu.tv_sec * 1000000 + cpu.tv_nsec / 1000;
}

static unsigned long cpu_ticks(pid_t pid)
{
	char path[64], text[512] = { 0 };
	unsigned long ticks = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	int fd = open(path, O_RDONLY);

	must(read(fd, text, sizeof(text) - 1) > 0 && close(fd) == 0);
	must(sscanf(text, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) == 1);
	return ticks;
}

int main(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		struct rusage usage;
		pid_t child = start();
		int status;

		compute(100000L * i);
		printf("it has used %ld us, ", cpu_us(child));
		printf("%lu ticks, ", cpu_ticks(child));
		must(kill(child, SIGKILL) == 0);
		must(wait4(child, &status, 0, &usage) == child && WTERMSIG(status) == SIGKILL);
		printf("in all %ld us, at %ld us\n",
			usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec, clock_us());
	}
	return 0;
}
