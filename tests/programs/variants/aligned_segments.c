/* Needs its segments at multiples of far more than a page; -static-pie leaves that to who
 * loads it. */
#include <stdint.h>
#include <stdio.h>

static char initialized[100] __attribute__((aligned(1 << 16))) = { 1 };
static char zero[100] __attribute__((aligned(1 << 21)));

int main(void)
{
	/* volatile: the compiler believes in the alignment and would not look. */
	volatile uintptr_t first = (uintptr_t)initialized, second = (uintptr_t)zero;
	long remainder = (long)(first % (1 << 16) + second % (1 << 21));
	printf("away from their alignment: %ld bytes\n", remainder);
	printf("contents: %d %d\n", initialized[0], zero[0]);
	return remainder != 0;
}
