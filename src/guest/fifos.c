#include "guest/fifos.h"

#include "guest/process.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define NOBODY	  (-1000) /* at the other end; no call's answer */
#define NOT_FIFOS (O_NONBLOCK | O_PATH | O_DIRECTORY)

enum { OPEN, WHAT, FLAGS, OPENED }; /* of wait.args */

void fifo_made(void)
{
	process.arena->fifos = 1;
}

/* The kernel opens a pipe without a name at once. */
bool fifo_waits(struct name name, uint64_t flags)
{
	struct kernel_stat st;

	if (!process.arena->fifos || !turns_matter() || (flags & NOT_FIFOS) ||
		(flags & O_ACCMODE) > O_WRONLY)
		return false;
	return name_status(name, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, &st) &&
	       (st.mode & S_IFMT) == S_IFIFO &&
	       st.dev != process.arena->config.devices[DEVICE_PIPES];
}

/* There are bytes, or their end, or a read of nothing does not take it for the end: somebody has
 * opened it for writing. */
static bool has_writer(int fd)
{
	const struct kernel_poll poll = { fd, POLLIN, 0 };
	char byte;

	return sys(__NR_poll, &poll, 1, 0) != 0 || sys(__NR_read, fd, &byte, 1) == -EAGAIN;
}

/* A reader opens it and waits for a writer; a writer cannot open it before there is a reader. */
static long attempt_open(struct thread *self, struct wait *wait, uint64_t ns)
{
	long fd = wait->args[OPENED], flags = wait->args[FLAGS];

	(void)ns;
	if (self->pending)
		return -RESTART;
	if (fd < 0) {
		fd = ((fifo_opener *)wait->args[OPEN])(
			(const void *)wait->args[WHAT], (uint64_t)flags | O_NONBLOCK);
		if (failed(fd))
			return fd == -ENXIO ? NOBODY : fd;
		wait->args[OPENED] = fd;
		turn_wake(self->task, PARK_STREAM);
	}
	return (flags & O_ACCMODE) == O_WRONLY || has_writer((int)fd) ? fd : NOBODY;
}

long fifo_open(struct thread *self, fifo_opener *open, const void *what, uint64_t flags)
{
	struct wait wait = {
		.attempt = attempt_open,
		.nothing = NOBODY,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_STREAM,
		.args = { (long)open, (long)what, (long)flags, -1 },
	};
	long r = wait_until(self, &wait);
	int off = 0;

	if (!failed(r))
		sys(__NR_ioctl, r, FIONBIO, &off);
	else if (wait.args[OPENED] >= 0)
		sys(__NR_close, wait.args[OPENED]);
	return r;
}
