#include "guest/streams.h"

#include "guest/nonblocking.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define PIPE_BUF 4096

static long attempt_call(struct thread *self, struct wait *wait, uint64_t ns)
{
	uint64_t fd = argument(self, 0);
	long r;

	(void)ns;
	if (self->pending)
		return -RESTART;
	if (!descriptor_ready(fd, (int)wait->args[1]) && descriptor_blocks(fd))
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
		.args = { (long)call, way },
	};

	return turns_matter() ? wait_for_stream(self, &wait) : call(self);
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
