/*
 * Owners: of initial files whoever runs Stet, of new files, and as chown sets them, with users that
 * the container does not have. What goes with it is the kernel's: a file that gets another owner loses
 * its setuid bits, a directory does not; in a setgid directory new files get its group.
 */
#include "files.h"

static void show(const char *path)
{
	struct stat st = look(path);

	printf("%s %u:%u", path, st.st_uid, st.st_gid);
	show_time("changed", st.st_ctim);
	puts("");
}

static void show_mode(const char *path)
{
	struct stat st = look(path);

	printf("%s %u:%u %o\n", path, st.st_uid, st.st_gid, st.st_mode & 07777);
}

static void lose_bits(void)
{
	touch("s");
	check(chmod("s", 06755) == 0 && chown("s", 10, 11) == 0, "chown of a setuid file");
	show_mode("s");
	touch("locking");
	check(chmod("locking", 02644) == 0 && chown("locking", 10, 11) == 0, "chown");
	show_mode("locking");
}

static void get_groups(void)
{
	check(mkdir("d", 0755) == 0 && chown("d", 12, 13) == 0, "mkdir");
	check(chmod("d", 02775) == 0, "chmod of a directory");
	touch("d/f");
	check(mkdir("d/d", 0755) == 0 && symlink("x", "d/l") == 0, "mkdir, symlink");
	check(mkfifo("d/p", 0600) == 0, "mkfifo");
	show_mode("d");
	show_mode("d/f");
	show_mode("d/d");
	show_mode("d/l");
	show_mode("d/p");
	check(chown("d/d", 14, 15) == 0, "chown of a setgid directory");
	show_mode("d/d");
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
	lose_bits();
	get_groups();
	return 0;
}
