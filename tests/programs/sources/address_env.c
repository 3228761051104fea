/* Addresses of stack, arguments and environment do not depend on the caller's environment. */
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

int main(int argc, char **argv)
{
	int local;
	void *block = malloc(100), *large = malloc(1 << 20);

	printf("%d %p %p %p\n", argc, (void *)&local, (void *)argv, (void *)argv[0]);
	for (char **variable = environ; *variable; variable++)
		printf("%p %s\n", (void *)*variable, *variable);
	printf("%p %p %p %p\n", block, large, (void *)main, (void *)printf);
	return 0;
}
