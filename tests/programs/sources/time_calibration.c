/* A piece of work is done twice as often each time until the time stamp counter shows that it took a
 * while, as FFTW does before it plans; that must come to an end although logical time stands while
 * a program computes. Natively the least of several measurements is often the same; their sum is
 * not. */
#include <sys/time.h>
#include <x86intrin.h>

#include "../check.h"

#define ENOUGH	5000 /* ticks */
#define REPEATS 8
#define MOST	(1u << 20) /* times: some seconds of computing */

static void work(void)
{
	for (volatile int i = 0; i < 300; i++)
		;
}

static unsigned long long measure(unsigned times)
{
	unsigned long long start = __rdtsc();

	for (unsigned i = 0; i < times; i++)
		work();
	return __rdtsc() - start;
}

int main(void)
{
	for (int plan = 0; plan < 3; plan++) {
		unsigned long long least = 0, sum = 0;
		unsigned times = 1;

		for (; times < MOST && least < ENOUGH; times *= 2) {
			least = ~0ull;
			for (int i = 0; i < REPEATS; i++) {
				unsigned long long took = measure(times);
				struct timeval now;

				must(gettimeofday(&now, NULL) == 0);
				least = took < least ? took : least;
				sum += took;
			}
		}
		printf("%d: %u times, %llu ticks, %llu in all\n", plan, times, least, sum);
	}
	return 0;
}
