/*
 * level: normal
 * host: /etc/passwd and /etc/group, which its digest is over, may change from run to run
 * Initial files keep their number when they are changed or renamed for the first time, which makes
 * the layer below copy them, and unchanged ones keep their times. Does not run natively: it changes
 * files of the system.
 */
#include "files.h"

#define PATH "/etc/passwd-of-old"

int main(void)
{
	struct stat before = look("/etc/passwd"), group = look("/etc/group"), after;
	int fd;

	show_time("before", before.st_mtim);
	fd = open("/etc/passwd", O_WRONLY | O_APPEND);
	check(fd >= 0 && write(fd, "\n", 1) == 1, "write");
	after = look("/etc/passwd");
	printf("\nwritten: same number %d, newer %d", after.st_ino == before.st_ino,
		ns(after.st_mtim) > ns(before.st_mtim));
	show_time("at", after.st_mtim);
	check(rename("/etc/passwd", PATH) == 0, "rename");
	printf("\nrenamed: %d\n", look(PATH).st_ino == before.st_ino);
	check(chmod("/etc/group", 0600) == 0, "chmod");
	after = look("/etc/group");
	printf("changed: same number %d, same mtime %d, newer ctime %d\n",
		after.st_ino == group.st_ino, ns(after.st_mtim) == ns(group.st_mtim),
		ns(after.st_ctim) > ns(group.st_ctim));
	check(unlink(PATH) == 0, "unlink");
	touch(PATH);
	printf("made anew: other number %d\n", look(PATH).st_ino != before.st_ino);
	return 0;
}
