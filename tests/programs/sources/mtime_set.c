/* Times that a program sets are kept to the nanosecond; the present is the logical one. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <utime.h>

#include "files.h"

static void show(const char *what, const char *path)
{
	struct stat st = look(path);

	printf("%s: %lld.%09ld %lld.%09ld", what, (long long)st.st_atim.tv_sec, st.st_atim.tv_nsec,
		(long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	show_time("changed", st.st_ctim);
	puts("");
}

static void show_order(const char *what)
{
	struct stat st = look("f");

	printf("%s: atime is ctime %d, mtime is ctime %d", what, ns(st.st_atim) == ns(st.st_ctim),
		ns(st.st_mtim) == ns(st.st_ctim));
	show_time("changed", st.st_ctim);
	puts("");
}

int main(void)
{
	struct timespec times[2] = { { 1000000000, 123456789 }, { 2000000000, 987654321 } };
	struct timespec kept[2] = { { 5, UTIME_OMIT }, { 7, 8 } };
	struct timespec none[2] = { { 0, UTIME_OMIT }, { 0, UTIME_OMIT } };
	struct timespec now[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };
	struct timespec old[2] = { { -1, 999999999 }, { -1000000, 0 } };
	struct timespec far[2] = { { 5000000000, 1 }, { 9000000000, 2 } };
	struct timespec wrong[2] = { { 0, 1000000000 }, { 0, 0 } };
	struct timeval values[2] = { { 11, 12 }, { 13, 14 } };
	struct utimbuf seconds = { 21, 22 };
	int fd;

	touch("f");
	check(symlink("f", "l") == 0, "symlink");
	fd = open("f", O_RDONLY);
	check(utimensat(AT_FDCWD, "f", times, 0) == 0, "utimensat");
	show("utimensat", "f");
	check(futimens(fd, kept) == 0, "futimens");
	show("futimens, one kept", "f");
	check(utimensat(AT_FDCWD, "f", none, 0) == 0, "utimensat");
	show("both kept", "f");
	check(utimensat(AT_FDCWD, "l", times, AT_SYMLINK_NOFOLLOW) == 0, "utimensat");
	show("of a link", "l");
	show("not of its target", "f");
	check(utimensat(AT_FDCWD, "f", old, 0) == 0, "utimensat");
	show("before 1970", "f");
	check(utimensat(AT_FDCWD, "f", far, 0) == 0, "utimensat");
	show("after 2038", "f");
	check(utimes("f", values) == 0, "utimes");
	show("utimes", "f");
	check(syscall(SYS_utimes, "f", values) == 0, "the call utimes");
	values[0].tv_sec = 15;
	check(syscall(SYS_futimesat, AT_FDCWD, "f", values) == 0, "futimesat");
	show("futimesat", "f");
	check(utime("f", &seconds) == 0 && syscall(SYS_utime, "f", &seconds) == 0, "utime");
	show("utime", "f");
	printf("wrong: %d\n", utimensat(AT_FDCWD, "f", wrong, 0) == -1 && errno == EINVAL);
	printf("no file: %d\n", utimensat(AT_FDCWD, "none", times, 0) == -1 && errno == ENOENT);
	printf("no times: %d\n",
		syscall(SYS_utimensat, AT_FDCWD, "f", 8, 0) == -1 && errno == EFAULT);
	check(utimensat(AT_FDCWD, "f", now, 0) == 0, "utimensat");
	show_order("the present, one kept");
	check(utime("f", NULL) == 0, "utime");
	show_order("utime of nothing");
	check(futimens(fd, NULL) == 0, "futimens");
	show_order("futimens of nothing");
	return 0;
}
