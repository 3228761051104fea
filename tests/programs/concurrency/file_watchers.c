/* inotify: in which order a watcher is told of what several processes do to a directory, and how
 * many events each read has. */
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "race.h"

#define MEMBERS 4
#define EACH	4

static void *work(void *number)
{
	char name[32];

	for (int i = 0; i < EACH; i++) {
		snprintf(name, sizeof(name), "watched/%c%d", 'a' + (int)(long)number, i);
		close(open(name, O_WRONLY | O_CREAT, 0600));
		compute(300);
		must(unlink(name) == 0);
	}
	return NULL;
}

int main(void)
{
	int fd = inotify_init1(IN_CLOEXEC), left = MEMBERS * EACH * 2;
	char buffer[4096] __attribute__((aligned(8)));

	must(mkdir("watched", 0700) == 0);
	must(inotify_add_watch(fd, "watched", IN_CREATE | IN_DELETE) >= 0);
	start_processes(MEMBERS, work);
	while (left > 0) {
		long n = read(fd, buffer, sizeof(buffer));

		must(n > 0);
		printf("[ ");
		for (char *at = buffer; at < buffer + n; left--) {
			struct inotify_event *event = (struct inotify_event *)at;

			printf("%s%s ", event->mask & IN_CREATE ? "+" : "-", event->name);
			at += sizeof(*event) + event->len;
		}
		printf("]\n");
	}
	end_processes(MEMBERS);
	return 0;
}
