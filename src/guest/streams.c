#include "guest/streams.h"

#include "guest/turn.h"
#include "guest/waits.h"

#define PIPE_BUF  4096
#define NOT_READY (-1000) /* no call's answer */

static bool is_ready(int fd, short events)
{
	struct {
		int fd;
		short events, revents;
	} poll = { fd, events, 0 };

	return sys(__NR_poll, &poll, 1, 0) != 0;
}

static bool blocks(int fd)
{
	long flags = sys(__NR_fcntl, fd, F_GETFL);

	return !failed(flags) && !(flags & O_NONBLOCK);
}

static long attempt_call(struct thread *self, struct wait *wait, uint64_t ns)
{
	int fd = (int)argument(self, 0);
	long r;

	(void)ns;
	if (self->pending)
		return -RESTART;
	if (!is_ready(fd, (short)wait->args[1]) && blocks(fd))
		return NOT_READY;
	r = ((call_handler *)wait->args[0])(self);
	if (r != -RESTART)
		turn_wake(self->task, PARK_STREAM);
	return r;
}

long stream_call(struct thread *self, call_handler *call, enum stream_way way)
{
	struct wait wait = {
		.attempt = attempt_call,
		.nothing = NOT_READY,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_STREAM,
		.args = { (long)call, way },
	};

	return turns_matter() ? wait_until(self, &wait) : call(self);
}

static long write_piece(struct thread *self)
{
	return pass_on(self);
}

/* The registers say what is to be written; they are restored, as the call may have to be made
 * again. */
long stream_write(struct thread *self)
{
	uint64_t at = argument(self, 1), all = argument(self, 2), done = 0;
	struct regs *regs = &self->regs;
	long r;

	if (!turns_matter() || all <= PIPE_BUF)
		return stream_call(self, write_piece, STREAM_OUT);
	do {
		regs->rsi = at + done;
		regs->rdx = all - done < PIPE_BUF ? all - done : PIPE_BUF;
		r = stream_call(self, write_piece, STREAM_OUT);
		if (r > 0)
			done += (uint64_t)r;
	} while (r > 0 && done < all && !self->pending);
	regs->rsi = at;
	regs->rdx = all;
	return done ? (long)done : r;
}
