/* The coarse clock's ticks are seen between two looks as well as between two pairs of looks,
 * whatever the number of looks in a round is: MariaDB waits for that when it starts. */
#include <time.h>

#include "../check.h"

#define LOOKS	   2000000 /* at most, in each try */
#define MOST	   4	   /* looks in a round */
#define JUMPS_SEEN 3

static long long look(void)
{
	struct timespec now;

	must(clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Counts only what happens between the first two looks of a round. */
static int jumps_seen(int looks)
{
	int jumps = 0;

	for (long i = 0; i < LOOKS && jumps < JUMPS_SEEN; i += looks) {
		long long first = look();

		jumps += look() != first;
		for (int k = 2; k < looks; k++)
			look();
	}
	return jumps;
}

int main(void)
{
	printf("%lld\n", look());
	for (int looks = 2; looks <= MOST; looks++)
		for (int phase = 0; phase < looks; phase++) {
			printf("%d looks: %d jumps\n", looks, jumps_seen(looks));
			look();
		}
	printf("%lld\n", look());
	return 0;
}
