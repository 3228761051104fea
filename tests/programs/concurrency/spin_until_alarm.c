/* A process of its own that counts until its alarm comes, with nobody who waits for it. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t came;

static void note(int number)
{
	came = number;
}

int main(void)
{
	struct timespec time;
	long looks = 0;

	signal(SIGALRM, note);
	alarm(1);
	while (!came)
		looks++;
	clock_gettime(CLOCK_MONOTONIC, &time);
	printf("%ld looks, at %ld.%09ld\n", looks, time.tv_sec, time.tv_nsec);
	return 0;
}
