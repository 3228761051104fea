/* The smallest program ends as natively: one line, status 0. Does not differ natively: it asks for
 * nothing. */
#include <stdio.h>

int main(void)
{
	puts("Hello world!");
	return 0;
}
