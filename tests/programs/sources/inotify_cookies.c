/* The numbers that join the two halves of a rename count from 1; the kernel's count all of the
 * host's. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void show(const char *buffer, long bytes)
{
	for (long at = 0; at < bytes;) {
		const struct inotify_event *event = (const struct inotify_event *)(buffer + at);

		printf("watch %d, mask %x, cookie %u, %s\n", event->wd, event->mask, event->cookie,
			event->len ? event->name : "");
		at += (long)(sizeof(*event) + event->len);
	}
}

int main(void)
{
	char buffer[4096];
	struct iovec parts[2] = { { buffer, 32 }, { buffer + 32, sizeof(buffer) - 32 } };
	int fd = inotify_init(), copy = dup(fd);

	mkdir("d", 0755);
	mkdir("e", 0755);
	printf("watch %d\n", inotify_add_watch(fd, "d", IN_ALL_EVENTS));
	printf("watch %d\n", inotify_add_watch(fd, "e", IN_MOVE));
	close(open("d/a", O_CREAT | O_WRONLY, 0644));
	rename("d/a", "d/b");
	rename("d/b", "e/c");
	show(buffer, read(fd, buffer, sizeof(buffer)));
	rename("e/c", "d/a");
	show(buffer, read(copy, buffer, 32)); /* half of it */
	show(buffer, read(copy, buffer, 32));
	rename("d/a", "d/z");
	show(buffer, readv(fd, parts, 2));
	return 0;
}
