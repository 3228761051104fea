/* Calls a function whose entry the compiler builds on the stack, which must be executable for
 * it. */
#include <stdio.h>

__attribute__((noipa)) static int call(int (*function)(int))
{
	return function(1);
}

int main(int argc, char **argv)
{
	int outer = argc + 41;
	int add(int number)
	{
		return outer + number;
	}
	(void)argv;
	printf("from the stack: %d\n", call(add));
	return 0;
}
