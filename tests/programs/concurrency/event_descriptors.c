/* eventfd, timerfd and pidfd, shared by processes: what each read takes, and which is ready
 * first. */
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "race.h"

#define MEMBERS 4
#define EACH	10

static int events;
static long *taken;

static void *work(void *number)
{
	uint64_t value = 1;

	for (int i = 0; i < EACH; i++) {
		if ((long)number < MEMBERS)
			must(write(events, &value, sizeof(value)) == sizeof(value));
		else
			must(read(events, &value, sizeof(value)) == sizeof(value));
		taken[(long)number] += (long)value;
		compute(300);
	}
	return NULL;
}

int main(void)
{
	struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } };
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct pollfd fds[2] = { { .fd = timer, .events = POLLIN }, { .events = POLLIN } };
	int status;

	events = eventfd(0, EFD_SEMAPHORE);
	taken = shared_memory(4096);
	in_processes(2 * MEMBERS, work);
	for (int i = 0; i < 5; i++) {
		uint64_t value = 3;

		events = eventfd(0, 0);
		pid_t child = fork();

		if (child == 0) {
			for (int j = 0; j < 2; j++)
				must(write(events, &value, sizeof(value)) == sizeof(value));
			compute(200000);
			_exit(i);
		}
		fds[1].fd = (int)syscall(SYS_pidfd_open, child, 0);
		must(fds[1].fd >= 0 && timerfd_settime(timer, 0, &soon, NULL) == 0);
		must(read(events, &value, sizeof(value)) == sizeof(value));
		must(poll(fds, 2, -1) > 0);
		printf("%lu events; first the %s\n", value,
			!fds[1].revents	 ? "timer"
			: fds[0].revents ? "both"
					 : "child");
		must(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == i);
		close(fds[1].fd);
		close(events);
	}
	return 0;
}
