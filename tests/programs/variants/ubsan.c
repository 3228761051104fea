/* Overflows, shifts too far and divides by zero in ways that UBSan reports and survives. */
#include <limits.h>
#include <stdio.h>

int main(void)
{
	volatile int big = INT_MAX, far = 40;
	volatile int sum = big + 1;
	volatile int shifted = 1 << far;
	printf("%d %d\n", sum, shifted != 0);
	return 0;
}
