/* A process waits for its child, which waits for its own, which waits for a byte from the first.
 * Does not run natively: it hangs.
 * status: 125
 * says: stet: deadlock: .*(wait|child).*(read|pipe) */
#include "race.h"

int main(void)
{
	int ends[2];
	char byte;

	must(pipe(ends) == 0);
	printf("first\n");
	if (fork() == 0) {
		printf("second\n");
		if (fork() == 0) {
			printf("third\n");
			must(read(ends[0], &byte, 1) == 1);
		}
	}
	wait(NULL);
	must(write(ends[1], &byte, 1) == 1);
	return 0;
}
