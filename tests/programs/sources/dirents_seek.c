/*
 * telldir, seekdir and rewinddir; positions are those of the open directory, which copies of the
 * descriptor and children share; a listing that has begun does not change.
 * Does not differ natively between two runs on one file system, but between file systems.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void make(int i)
{
	char name[32];

	snprintf(name, sizeof(name), "d/%02d", i);
	close(open(name, O_CREAT | O_WRONLY, 0644));
}

static void drop(int i)
{
	char name[32];

	snprintf(name, sizeof(name), "d/%02d", i);
	unlink(name);
}

static const char *next(DIR *dir)
{
	struct dirent *entry = readdir(dir);

	return entry ? entry->d_name : "(end)";
}

/* One small call at a time, without libc's buffer. */
static void step(const char *who, int fd)
{
	char buffer[64];
	long n = syscall(SYS_getdents64, fd, buffer, 24);
	long at = lseek(fd, 0, SEEK_CUR);

	printf("%s: %ld %s, then at %ld\n", who, n, n > 0 ? buffer + 19 : "", at);
	fflush(stdout);
}

static void with_libc(void)
{
	DIR *dir = opendir("d");
	long places[12];

	for (int i = 0; i < 12; i++) {
		places[i] = telldir(dir);
		printf("%ld %s\n", places[i], next(dir));
	}
	for (int i = 11; i >= 0; i -= 3) {
		seekdir(dir, places[i]);
		printf("back at %d: %s\n", i, next(dir));
	}
	make(99);
	drop(5);
	rewinddir(dir);
	for (int i = 0; i < 13; i++)
		printf("%s ", next(dir));
	printf("\n");
	closedir(dir);
}

static void shared(void)
{
	int fd = open("d", O_RDONLY | O_DIRECTORY), copy = dup(fd);

	step("first", fd);
	step("copy", copy);
	if (fork() == 0) {
		step("child", fd);
		_exit(0);
	}
	wait(NULL);
	step("parent", fd);
	if (fork() == 0) {
		char number[16];

		snprintf(number, sizeof(number), "%d", fd);
		execl("/proc/self/exe", "dirents_seek", number, NULL);
		_exit(1);
	}
	wait(NULL);
	step("parent", copy);
	close(fd);
	step("copy", copy);
	close(copy);
}

static void changing(void)
{
	int fd = open("d", O_RDONLY | O_DIRECTORY);

	make(10); /* some file systems do not show what is younger than the open directory */
	for (int i = 0; i < 4; i++)
		step("before", fd);
	drop(3);
	drop(6);
	make(7);
	make(50);
	for (int i = 0; i < 10; i++)
		step("after", fd);
	close(fd);
}

static void result(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r < 0 ? strerror(errno) : "");
}

static void odd(void)
{
	int fd = open("d", O_RDONLY | O_DIRECTORY), file = open("d/01", O_RDONLY);
	char buffer[256];

	result("no room", syscall(SYS_getdents64, fd, buffer, 20));
	result("no memory", syscall(SYS_getdents64, fd, 16, 200));
	result("no directory", syscall(SYS_getdents64, file, buffer, 200));
	result("no descriptor", syscall(SYS_getdents64, 77, buffer, 200));
	result("its end", lseek(fd, 0, SEEK_END));
	result("far off", lseek(fd, 1000, SEEK_SET));
	result("nothing there", syscall(SYS_getdents64, fd, buffer, 200));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		step("program", atoi(argv[1]));
		return 0;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	mkdir("d", 0755);
	for (int i = 0; i < 10; i++)
		make(i * 7 % 10);
	with_libc();
	shared();
	changing();
	odd();
	return 0;
}
