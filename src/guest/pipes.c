#include "guest/pipes.h"

#include "guest/turn.h"
#include "guest/waits.h"
#include "guest/whole.h"

#define PIPE_BUF   4096	      /* bytes that fit into a pipe which has room at all */
#define RW_MAX	   0x7ffff000 /* bytes that a call moves at most */
#define PARTS_MAX  1024
#define RWF_NOWAIT 8
#define NOT_READY  (-1000) /* no call's answer */

static int pipe_of(const struct thread *self)
{
	return (int)argument(self, 0);
}

static bool is_ready(int fd, short events)
{
	const struct kernel_poll poll = { fd, events, 0 };

	return sys(__NR_poll, &poll, 1, 0) != 0;
}

/* Does the program want to wait? */
static bool blocks(const struct thread *self)
{
	uint32_t number = (uint32_t)self->regs.rax;
	long flags = sys(__NR_fcntl, pipe_of(self), F_GETFL);

	if ((number == __NR_preadv2 || number == __NR_pwritev2) && (argument(self, 5) & RWF_NOWAIT))
		return false;
	return !failed(flags) && !(flags & O_NONBLOCK);
}

static void set_nonblocking(int fd, int on)
{
	sys(__NR_ioctl, fd, FIONBIO, &on);
}

/* What is left of a write: its registers, or parts, from `done` on. */
static long write_rest(struct thread *self, uint64_t done)
{
	uint64_t at = argument(self, 1), parts = argument(self, 2);
	struct part part = { 0 };

	if (!done)
		return pass_on(self);
	if ((uint32_t)self->regs.rax == __NR_write)
		return sys_window(__NR_write, pipe_of(self), at + done, parts - done);
	for (; parts; parts--, at += sizeof(part)) {
		if (copy_in(&part, at, sizeof(part)))
			return -EFAULT;
		if (done < part.bytes)
			break;
		done -= part.bytes;
	}
	return done ? sys_window(__NR_write, pipe_of(self), part.base + done, part.bytes - done)
		    : sys_window(__NR_writev, pipe_of(self), at, parts);
}

/*
 * Others share the open file, but act in their own turns, and whoever is killed by one of them is
 * not in its turn: nobody sees the flag.
 */
static long try_write(struct thread *self, uint64_t done)
{
	long r;

	set_nonblocking(pipe_of(self), 1);
	r = write_rest(self, done);
	set_nonblocking(pipe_of(self), 0);
	return r;
}

/* Who waits for the other end looks again. */
static long moved(struct thread *self, long bytes)
{
	if (bytes > 0)
		turn_wake(self->task, PARK_STREAM);
	return bytes;
}

enum { ALL, DONE }; /* of wait.args: bytes to write, bytes written */

static long attempt_write(struct thread *self, struct wait *wait, uint64_t ns)
{
	long r = 0, *done = &wait->args[DONE];

	(void)ns;
	if (self->pending)
		return *done ? *done : -RESTART;
	do {
		r = moved(self, try_write(self, (uint64_t)*done));
		if (r > 0)
			*done += r;
	} while (r > 0 && *done < wait->args[ALL] && is_ready(pipe_of(self), POLLOUT));
	if (r == -EAGAIN || (r > 0 && *done < wait->args[ALL]))
		return NOT_READY;
	return *done ? *done : r;
}

/* The sum of the parts of a vector; one that is wrong is for the kernel to judge. */
static uint64_t bytes_of(const struct thread *self)
{
	uint64_t at = argument(self, 1), count = argument(self, 2), sum = 0;
	struct part part;

	if ((uint32_t)self->regs.rax == __NR_write)
		return count < RW_MAX ? count : RW_MAX;
	for (uint64_t i = 0; i < count && i < PARTS_MAX && sum < RW_MAX; i++) {
		if (copy_in(&part, at + i * sizeof(part), sizeof(part)))
			break;
		sum += part.bytes < RW_MAX ? part.bytes : RW_MAX;
	}
	return sum < RW_MAX ? sum : RW_MAX;
}

long pipe_write(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_write,
		.nothing = NOT_READY,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_STREAM,
		.args = { [ALL] = (long)bytes_of(self) },
	};

	bool fits = wait.args[ALL] <= PIPE_BUF && is_ready(pipe_of(self), POLLOUT);

	return fits || !blocks(self) ? moved(self, pass_on(self)) : wait_until(self, &wait);
}

static long attempt_read(struct thread *self, struct wait *wait, uint64_t ns)
{
	bool waits;
	long r;

	(void)wait;
	(void)ns;
	if (self->pending)
		return -RESTART;
	/* Nothing to read: the kernel may still have something to say against the call. */
	waits = !is_ready(pipe_of(self), POLLIN) && blocks(self);
	if (waits)
		set_nonblocking(pipe_of(self), 1);
	r = pass_on(self);
	if (waits)
		set_nonblocking(pipe_of(self), 0);
	return waits && r == -EAGAIN ? NOT_READY : moved(self, r);
}

long pipe_read(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_read,
		.nothing = NOT_READY,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_STREAM,
	};

	return wait_until(self, &wait);
}
