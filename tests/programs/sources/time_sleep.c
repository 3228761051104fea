/* Sleeping moves the clock by what was asked for and takes no real time. */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static struct timespec now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static long long since(struct timespec a)
{
	struct timespec b = now();

	return (b.tv_sec - a.tv_sec) * 1000000000ll + b.tv_nsec - a.tv_nsec;
}

int main(void)
{
	struct timespec start = now(), until, bad = { 0, 1000000000 };
	long long slept[4];

	nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	slept[0] = since(start);
	start = now();
	usleep(2000);
	slept[1] = since(start);
	until = now();
	start = until;
	until.tv_nsec = (until.tv_nsec + 3000000) % 1000000000;
	until.tv_sec += until.tv_nsec < 3000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	slept[2] = since(start);
	start = now();
	clock_nanosleep(CLOCK_REALTIME, 0, &(struct timespec){ 0, 4000000 }, NULL);
	slept[3] = since(start);
	for (int i = 0; i < 4; i++)
		printf("slept %lld ns\n", slept[i]);
	printf("bad time: %d", nanosleep(&bad, NULL));
	printf(" EINVAL: %d\n", errno == EINVAL);
	printf("THREAD_CPUTIME_ID: EINVAL %d\n",
		clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &bad, NULL) == EINVAL);
	return 0;
}
