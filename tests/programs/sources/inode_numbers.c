/*
 * Numbers of files: a function of who made the file, or of its name when it was there before; never
 * used again, the same by every way of asking, and on one device.
 */
#include <dirent.h>

#include "files.h"

static ino_t listed(const char *name)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	ino_t number = 0;

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, name) == 0)
			number = entry->d_ino;
	closedir(dir);
	return number;
}

int main(void)
{
	ino_t first, last;
	struct stat st, other;
	struct statx x;
	int fd;

	touch("a");
	st = look("a");
	first = st.st_ino;
	fd = open("a", O_RDWR);
	check(fstat(fd, &other) == 0, "fstat");
	check(statx(AT_FDCWD, "a", 0, STATX_BASIC_STATS, &x) == 0, "statx");
	printf("a: device %u:%u, exact in a double %d, by fstat %d, by statx %d, listed %d\n",
		major(st.st_dev), minor(st.st_dev), st.st_ino < 1ul << 53, other.st_ino == first,
		x.stx_ino == first, listed("a") == first);
	show_time("made at", st.st_mtim);
	puts("");
	last = first;
	for (int i = 0; i < 3; i++) {
		unlink("a");
		touch("a");
		printf("again: another number %d\n", look("a").st_ino != last);
		last = look("a").st_ino;
	}
	check(fstat(fd, &other) == 0 && other.st_ino == first, "the open one keeps its number");
	printf("links of the open one: %d\n", (int)other.st_nlink);
	first = look("a").st_ino;
	check(link("a", "b") == 0 && rename("a", "c") == 0, "link");
	printf("linked %d, renamed %d, links %d\n", look("b").st_ino == first,
		look("c").st_ino == first, (int)look("b").st_nlink);
	check(chmod("c", 0600) == 0 && truncate("c", 100000) == 0, "chmod");
	printf("changed %d\n", look("c").st_ino == first);
	check(mkdir("d", 0755) == 0 && symlink("c", "e") == 0 && mkfifo("f", 0600) == 0, "make");
	printf("directory %lu, link %lu, fifo %lu\n", (unsigned long)look("d").st_ino,
		(unsigned long)look("e").st_ino, (unsigned long)look("f").st_ino);
	printf("root %lu, /usr %lu, on its device %d\n", (unsigned long)look("/").st_ino,
		(unsigned long)look("/usr").st_ino, look("/usr").st_dev == st.st_dev);
	return 0;
}
