/* Every clock shows logical time: it moves by one step per look, and all clocks agree. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const struct {
	clockid_t id;
	const char *name;
} clocks[] = {
	{ CLOCK_REALTIME, "REALTIME" },
	{ CLOCK_MONOTONIC, "MONOTONIC" },
	{ CLOCK_PROCESS_CPUTIME_ID, "PROCESS_CPUTIME_ID" },
	{ CLOCK_THREAD_CPUTIME_ID, "THREAD_CPUTIME_ID" },
	{ CLOCK_MONOTONIC_RAW, "MONOTONIC_RAW" },
	{ CLOCK_REALTIME_COARSE, "REALTIME_COARSE" },
	{ CLOCK_MONOTONIC_COARSE, "MONOTONIC_COARSE" },
	{ CLOCK_BOOTTIME, "BOOTTIME" },
	{ CLOCK_REALTIME_ALARM, "REALTIME_ALARM" },
	{ CLOCK_BOOTTIME_ALARM, "BOOTTIME_ALARM" },
	{ CLOCK_TAI, "TAI" },
};
#define COUNT (sizeof(clocks) / sizeof(clocks[0]))

static long long between(const struct timespec *a, const struct timespec *b)
{
	return (b->tv_sec - a->tv_sec) * 1000000000ll + b->tv_nsec - a->tv_nsec;
}

int main(void)
{
	struct timespec first[COUNT], second[COUNT], resolution, dynamic, start;
	struct timeval day;
	time_t seconds;
	clockid_t process;

	for (size_t i = 0; i < COUNT; i++) {
		clock_gettime(clocks[i].id, &first[i]);
		clock_gettime(clocks[i].id, &second[i]);
	}
	clock_gettime(CLOCK_REALTIME, &start);
	gettimeofday(&day, NULL);
	seconds = time(NULL);
	clock_getcpuclockid(0, &process);
	clock_gettime(process, &dynamic);

	for (size_t i = 0; i < COUNT; i++) {
		clock_getres(clocks[i].id, &resolution);
		printf("%-18s %9ld s, two looks %4lld ns apart, resolution %ld\n", clocks[i].name,
			(long)first[i].tv_sec, between(&first[i], &second[i]), resolution.tv_nsec);
	}
	printf("time %ld, gettimeofday %ld, %ld us after clock_gettime\n", (long)seconds,
		(long)day.tv_sec, day.tv_usec - start.tv_nsec / 1000);
	printf("monotonic is behind the boot time by %lld ns of looks\n",
		between(&first[1], &first[7]));
	printf("CPU time by pid: %ld s, in order: %d\n", (long)dynamic.tv_sec,
		between(&second[2], &dynamic) > 0);
	errno = 0;
	printf("clock 10: %d", clock_gettime(10, &start));
	printf(" EINVAL: %d\n", errno == EINVAL);
	return 0;
}
