/* Parent and child both read from a pipe that both could write to: nobody ever will. Stet says who
 * waits for what, on standard error, and ends with status 125; natively it hangs.
 * Does not run natively.
 * status: 125
 * says: stet: deadlock: .*pipe */
#include <unistd.h>

#include "../check.h"

int main(void)
{
	int ends[2];
	char byte;

	must(pipe(ends) == 0);
	pid_t child = fork();

	printf("%s reads\n", child ? "parent" : "child");
	must(read(ends[0], &byte, 1) == 1);
	return 0;
}
