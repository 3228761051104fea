/*
 * Owners: of initial files whoever runs Stet, of new files, and as chown sets them, with users that
 * the container does not have.
 */
#include "files.h"

static void show(const char *path)
{
	struct stat st = look(path);

	printf("%s %u:%u", path, st.st_uid, st.st_gid);
	show_time("changed", st.st_ctim);
	puts("");
}

int main(void)
{
	int fd;

	show("/etc/passwd");
	show("/var/mail");
	show(".");
	touch("f");
	check(symlink("f", "l") == 0, "symlink");
	show("f");
	show("l");
	check(chown("f", 1, 2) == 0, "chown");
	show("f");
	check(chown("l", -1, 3) == 0, "chown of the group");
	show("f");
	show("l");
	check(lchown("l", 4, 5) == 0, "lchown");
	show("l");
	fd = open("f", O_RDONLY);
	check(fchown(fd, 60000, -1) == 0, "fchown");
	show("f");
	check(fchownat(AT_FDCWD, "l", 0, 0, 0) == 0, "fchownat");
	show("f");
	check(fchownat(AT_FDCWD, "l", 6, 7, AT_SYMLINK_NOFOLLOW) == 0, "fchownat of a link");
	show("l");
	check(fchownat(fd, "", 8, 9, AT_EMPTY_PATH) == 0, "fchownat of a descriptor");
	show("f");
	check(rename("f", "g") == 0, "rename");
	show("g");
	printf("chown of nothing: %d\n", chown("nothing", 0, 0) == -1 && errno == ENOENT);
	return 0;
}
