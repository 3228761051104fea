/* Opening a file that is there already makes nothing; truncating changes it. */
#include "files.h"

static struct stat last;

static void opened(const char *what, int flags)
{
	int fd = open("f", flags, 0644);
	struct stat st;

	if (fd < 0) {
		printf("%s: %s\n", what, errno == EEXIST ? "there already" : strerror(errno));
		return;
	}
	st = look("f");
	printf("%s:", what);
	show_time("at", st.st_mtim);
	printf(" same number %d, moved %d, size %d\n", st.st_ino == last.st_ino,
		ns(st.st_mtim) > ns(last.st_mtim), (int)st.st_size);
	last = st;
	check(write(fd, "text", 4) == ((flags & O_ACCMODE) ? 4 : -1), "write");
	close(fd);
	last = look("f");
}

int main(void)
{
	touch("f");
	last = look("f");
	opened("for reading", O_RDONLY);
	opened("for writing", O_WRONLY);
	opened("O_CREAT", O_CREAT | O_RDWR);
	opened("O_CREAT for reading", O_CREAT | O_RDONLY);
	opened("O_CREAT | O_TRUNC", O_CREAT | O_WRONLY | O_TRUNC);
	opened("O_TRUNC", O_WRONLY | O_TRUNC);
	opened("O_CREAT | O_EXCL", O_CREAT | O_EXCL | O_WRONLY);
	check(mkdir("d", 0755) == 0, "mkdir");
	printf("a directory: %d %d\n", open("d", O_CREAT | O_RDONLY, 0644) == -1 && errno == EISDIR,
		open("d", O_CREAT | O_WRONLY, 0644) == -1 && errno == EISDIR);
	printf("below nothing: %d\n",
		open("nothing/f", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOENT);
	printf("below a file: %d\n",
		open("f/f", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOTDIR);
	check(symlink("loop", "loop") == 0, "symlink");
	printf("a loop: %d\n", open("loop", O_CREAT | O_WRONLY, 0644) == -1 && errno == ELOOP);
	check(symlink("d/new", "dangling") == 0, "symlink");
	printf("a link to nothing, exclusively: %d\n",
		open("dangling", O_CREAT | O_EXCL | O_WRONLY, 0644) == -1 && errno == EEXIST);
	printf("a link to nothing, not followed: %d\n",
		open("dangling", O_CREAT | O_NOFOLLOW | O_WRONLY, 0644) == -1 && errno == ELOOP);
	printf("a name that is not there: %d\n",
		open((char *)8, O_CREAT | O_WRONLY, 0644) == -1 && errno == EFAULT);
	return 0;
}
