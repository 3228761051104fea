/* What a process that watches a directory is told of what several others do there, and when. */
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "contend.h"

static int watcher;

static void changer(int who)
{
	char name[32], other[32];

	for (int i = 0; i < 3; i++) {
		int fd;

		compute(5 + 40 * (unsigned)((who * 3 + i) % 4));
		usleep(900 * (unsigned)((who + 2 * i) % 3));
		snprintf(name, sizeof(name), "watched/%d.%d", who, i);
		snprintf(other, sizeof(other), "watched/%d.%d.new", who, i);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		if (write(fd, "x", 1) != 1)
			_exit(1);
		if (i == 1)
			chmod(name, 0644);
		close(fd);
		rename(name, other);
		if (i == 2)
			unlink(other);
	}
}

static void tell(const char *bytes, ssize_t count)
{
	for (ssize_t at = 0; at < count;) {
		const struct inotify_event *event = (const struct inotify_event *)(bytes + at);

		printf("  %x %u %s\n", event->mask, event->cookie, event->len ? event->name : "");
		at += (ssize_t)(sizeof(*event) + event->len);
	}
}

/* Looking is told as well, at once. */
static void look(void)
{
	char bytes[256] __attribute__((aligned(8)));
	struct pollfd polled = { watcher, POLLIN, 0 };

	inotify_add_watch(watcher, "watched", IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE);
	fcntl(watcher, F_SETFL, O_NONBLOCK);
	while (read(watcher, bytes, sizeof(bytes)) > 0)
		;
	fflush(stdout);
	if (fork() == 0) {
		int fd = open("watched/0.0.new", O_RDONLY);

		usleep(20000);
		say("child has opened", 0, 0);
		if (read(fd, bytes, 1) != 1)
			_exit(1);
		usleep(20000);
		say("child has read", 0, 0);
		_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		poll(&polled, 1, -1);
		tell(bytes, read(watcher, bytes, sizeof(bytes)));
		fflush(stdout);
	}
	wait(NULL);
}

int main(void)
{
	char bytes[4096] __attribute__((aligned(8)));
	struct pollfd polled;
	pid_t pid;

	mkdir("watched", 0700);
	watcher = inotify_init1(0);
	inotify_add_watch(watcher, "watched",
		IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVE | IN_DELETE | IN_OPEN);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(watcher);
		if (contend(3, changer))
			_exit(1);
		usleep(50000);
		rmdir("watched/none");
		close(open("watched/last", O_WRONLY | O_CREAT, 0600));
		_exit(0);
	}
	for (int i = 0;; i++) {
		ssize_t count;

		polled = (struct pollfd){ watcher, POLLIN, 0 };
		if (i % 2)
			poll(&polled, 1, -1);
		count = read(watcher, bytes, i % 3 ? sizeof(bytes) : 200);
		printf("read %zd\n", count);
		tell(bytes, count);
		if (strstr(bytes + count - 16, "last"))
			break;
	}
	waitpid(pid, NULL, 0);
	look();
	fcntl(watcher, F_SETFL, O_NONBLOCK);
	while (read(watcher, bytes, sizeof(bytes)) > 0)
		;
	TELL(read(watcher, bytes, sizeof(bytes)));
	TELL(read(watcher, bytes, 4));
	return 0;
}
