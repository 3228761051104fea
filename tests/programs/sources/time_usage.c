/* CPU times are logical: a process uses what its clock moved by while it did not sleep, and a
 * parent learns what its children used. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work(long ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

int main(void)
{
	struct rusage self, children, child;
	struct tms before, after;
	clock_t first = times(&before), second;
	int status;

	work(30);
	sleep(1);
	if (fork() == 0) {
		work(50);
		sleep(2);
		_exit(3);
	}
	wait4(-1, &status, 0, &child);
	second = times(&after);
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	printf("self %ld ms, system %ld us\n", self.ru_utime.tv_usec / 1000,
		(long)self.ru_stime.tv_usec);
	printf("child %ld ms, children %ld ms, status %d\n", child.ru_utime.tv_usec / 1000,
		children.ru_utime.tv_usec / 1000, WEXITSTATUS(status));
	printf("ticks: %ld elapsed, user %ld, children %ld\n", (long)(second - first),
		(long)(after.tms_utime - before.tms_utime),
		(long)(after.tms_cutime - before.tms_cutime));
	printf("memory %ld, faults %ld, switches %ld\n", self.ru_maxrss, self.ru_minflt,
		self.ru_nvcsw + self.ru_nivcsw);
	return 0;
}
