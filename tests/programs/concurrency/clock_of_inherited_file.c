/* Programs that are given an open file, which another process changes meanwhile: what time it is for
 * them after they have used it. */
#include <fcntl.h>
#include <sys/stat.h>

#include "clock.h"
#include "race.h"

#define GIVEN	 3
#define PROGRAMS 6
#define CHANGES	 40

/* The first use of the descriptor by this program. */
static int use(const char *name)
{
	must(lseek(GIVEN, 0, SEEK_CUR) == 0);
	printf("%s: %ld us\n", name, clock_us());
	return 0;
}

int main(int argc, char **argv)
{
	char name[] = "program 0";

	if (argc > 1)
		return use(argv[1]);
	must(dup2(open("given", O_RDWR | O_CREAT, 0600), GIVEN) == GIVEN);
	for (int i = 0; i < PROGRAMS; i++) {
		name[sizeof(name) - 2] = (char)('0' + i);
		if (fork() == 0)
			execl(argv[0], argv[0], name, NULL);
	}
	for (int i = 0; i < CHANGES; i++) {
		pass_us(500);
		compute(200000);
		must(fchmod(GIVEN, 0600 | (mode_t)(i & 7)) == 0);
	}
	end_processes(PROGRAMS);
	return 0;
}
