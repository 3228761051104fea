/* getcwd tells a path longer than any that a call takes, and ".." leads back through all of it.
 * Does not differ natively: the names are the program's own.
 * bundles: no, the path is too long for them */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

#define LEVELS	    40
#define NAME_LENGTH 200

int main(void)
{
	char name[NAME_LENGTH + 1], kernel[PATH_MAX];
	char *start = getcwd(NULL, 0);

	must(start != NULL);
	memset(name, 'd', NAME_LENGTH);
	name[NAME_LENGTH] = '\0';
	for (int i = 0; i < LEVELS; i++)
		must(mkdir(name, 0700) == 0 && chdir(name) == 0);
	expect_errno("the kernel's", syscall(SYS_getcwd, kernel, sizeof(kernel)), ENAMETOOLONG);
	char *path = getcwd(NULL, 0);

	must(path != NULL);
	expect("length below the start", (long)(strlen(path) - strlen(start)),
		LEVELS * (NAME_LENGTH + 1));
	expect_errno("as a path", chdir(path), ENAMETOOLONG);
	for (int i = 0; i < LEVELS; i++)
		must(chdir("..") == 0 && rmdir(name) == 0);
	free(path);
	path = getcwd(NULL, 0);
	expect_true("back at the start", strcmp(path, start) == 0);
	return verdict();
}
