/* Nobody sets the clock, and what the kernel knows about its quality is fixed. Does not differ
 * natively: but for the second at which it was asked. */
#include <errno.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, int result)
{
	const char *why = errno == EPERM ? "EPERM" : errno == EINVAL ? "EINVAL" : "other";

	printf("%s: %d %s\n", what, result, result ? why : "");
}

int main(void)
{
	struct timespec new = { 1000, 0 }, bad = { 0, -1 };
	struct timeval day = { 1000, 0 };
	struct timex state = { .modes = 0 };
	int quality;

	if (setuid(65534)) { /* natively, root would do harm; where this fails there is none */
	}
	show("clock_settime", clock_settime(CLOCK_REALTIME, &new));
	show("bad time", clock_settime(CLOCK_REALTIME, &bad));
	show("monotonic", clock_settime(CLOCK_MONOTONIC, &new));
	show("settimeofday", settimeofday(&day, NULL));
	quality = adjtimex(&state);
	printf("adjtimex: %d, %ld s, status %#x, frequency %ld, tick %ld\n", quality,
		(long)state.time.tv_sec, state.status, state.freq, state.tick);
	return 0;
}
