/* What orphans print while and after the command itself ends: the container ends with the command,
 * so some of it is lost; how much is the same each time. */
#include "race.h"

int main(void)
{
	for (int i = 0; i < 3; i++) {
		if (fork() > 0)
			continue;
		for (int j = 0; j < 300; j++)
			dprintf(1, "orphan %d: %d\n", i, j);
		_exit(0);
	}
	for (int i = 0; i < 20; i++) {
		dprintf(1, "command: %d\n", i);
		compute(1000);
	}
	return 0;
}
