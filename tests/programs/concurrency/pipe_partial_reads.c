/* How much each read finds while a writer writes pieces of many sizes. */
#include "race.h"

#define PIECES 60

int main(void)
{
	static char buffer[5000];
	int ends[2];
	long n, total = 0, wanted = 0;

	must(pipe(ends) == 0);
	if (fork() == 0) {
		close(ends[0]);
		for (int i = 0; i < PIECES; i++) {
			long bytes = 1 + i * 397 % 2900;

			must(write(ends[1], buffer, (size_t)bytes) == bytes);
			compute(i * 37 % 11 * 1000);
		}
		_exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], buffer, sizeof(buffer))) > 0) {
		printf("%ld ", n);
		total += n;
		compute(3000);
	}
	for (int i = 0; i < PIECES; i++)
		wanted += 1 + i * 397 % 2900;
	printf("\n%ld bytes\n", total);
	must(n == 0 && total == wanted && wait(NULL) > 0);
	return 0;
}
