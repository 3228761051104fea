/* What stat says of files of every kind: nothing of the file system below, nothing of the
 * kernel's. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "files.h"

static void show(const char *what, const struct stat *st)
{
	printf("%s: device %u:%u mode %o links %d owner %u:%u size %lld blocks %lld of %ld", what,
		major(st->st_dev), minor(st->st_dev), st->st_mode, (int)st->st_nlink, st->st_uid,
		st->st_gid, (long long)st->st_size, (long long)st->st_blocks, (long)st->st_blksize);
	show_time("at", st->st_ctim);
	puts("");
}

static void show_path(const char *path)
{
	struct stat st = look(path);

	show(path, &st);
}

static ino_t show_fd(const char *what, int fd)
{
	struct stat st;

	check(fd >= 0 && fstat(fd, &st) == 0, what);
	show(what, &st);
	return st.st_ino;
}

int main(void)
{
	static const char *const initial[] = { "/", "/usr", "/etc/passwd", "/dev/null",
		"/dev/zero" };
	int ends[2], pair[2], more[2];
	ino_t number;

	for (size_t i = 0; i < sizeof(initial) / sizeof(initial[0]); i++) {
		struct stat st = look(initial[i]);

		printf("%s: device %u:%u links %d owner %u:%u rdev %u:%u blocks of %ld", initial[i],
			major(st.st_dev), minor(st.st_dev), (int)st.st_nlink, st.st_uid, st.st_gid,
			major(st.st_rdev), minor(st.st_rdev), (long)st.st_blksize);
		show_time("at", st.st_mtim);
		puts("");
	}
	check(mkdir("d", 0755) == 0 && mkfifo("f", 0600) == 0 && symlink("nowhere", "l") == 0,
		"make");
	for (int i = 0; i < 500; i++) {
		char name[300];

		snprintf(name, sizeof(name), "d/%0200d", i);
		touch(name);
	}
	check(mkdir("d/e", 0755) == 0, "mkdir");
	show_path("d");
	show_path("f");
	show_path("l");
	touch("r");
	for (int size = 0; size <= 4097; size += size ? 4096 : 1) {
		check(truncate("r", size) == 0, "truncate");
		show_path("r");
	}
	check(pipe(ends) == 0 && pipe(more) == 0, "pipe");
	number = show_fd("pipe", ends[0]);
	printf("other end %d, other pipe %d\n", show_fd("pipe", ends[1]) == number,
		show_fd("pipe", more[0]) == number);
	check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	number = show_fd("socket", pair[0]);
	printf("other end %d\n", show_fd("socket", pair[1]) == number);
	show_fd("memory", memfd_create("memory", 0));
	show_fd("event", eventfd(0, 0));
	show_fd("epoll", epoll_create1(0));
	return 0;
}
