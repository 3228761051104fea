/* Timers behind descriptors in logical time: read, polled, waited for by epoll, duplicated,
 * inherited. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct timespec start;
static char text[2048]; /* printed at the end: writing is an event too */
static size_t length;

static void show(const char *what, int fd)
{
	struct timespec now;
	uint64_t count = 0;
	long bytes = read(fd, &count, sizeof(count));

	clock_gettime(CLOCK_MONOTONIC, &now);
	length += (size_t)snprintf(text + length, sizeof(text) - length,
		"%s: %ld bytes, %lu, at %ld us\n", what, bytes, (unsigned long)count,
		(now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000);
	clock_gettime(CLOCK_MONOTONIC, &start);
}

int main(void)
{
	struct itimerspec every = { { 0, 10000000 }, { 0, 15000000 } }, now;
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), copy, epoll = epoll_create1(0), status,
	    ready[3];
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };

	clock_gettime(CLOCK_MONOTONIC, &start);
	timerfd_settime(fd, 0, &every, NULL);
	timerfd_gettime(fd, &now);
	for (int i = 0; i < 3; i++)
		show("read", fd);
	nanosleep(&(struct timespec){ 0, 35000000 }, NULL);
	show("after a sleep", fd);
	ready[0] = poll(&poller, 1, 1000);
	show("after poll", fd);
	ready[1] = poll(&poller, 1, 1);
	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	ready[2] = epoll_wait(epoll, &event, 1, -1);
	show("after epoll", fd);
	copy = dup(fd);
	close(fd);
	show("duplicate", copy);
	if (fork() == 0) {
		length = 0;
		show("child", copy);
		_exit(write(1, text, length) < 0);
	}
	wait(&status);
	fputs(text, stdout);
	printf("poll %d, short poll %d, epoll %d\n", ready[0], ready[1], ready[2]);
	fcntl(copy, F_SETFL, O_NONBLOCK);
	timerfd_settime(copy, 0, &(struct itimerspec){ 0 }, &every);
	errno = 0;
	printf("disarmed: %ld", (long)read(copy, &(uint64_t){ 0 }, 8));
	printf(" EAGAIN %d; interval was %ld\n", errno == EAGAIN, every.it_interval.tv_nsec);
	printf("first reading: %ld.%06ld ms left\n", now.it_value.tv_nsec / 1000000,
		now.it_value.tv_nsec % 1000000);
	return 0;
}
