#include "guest/moves.h"

#include "guest/files.h"
#include "guest/nonblocking.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define SPLICE_F_NONBLOCK 2

static bool writes(uint64_t fd)
{
	return sys(__NR_fcntl, (int)fd, F_GETFL) & O_ACCMODE;
}

struct move_ends move_ends_of(struct thread *self)
{
	uint64_t first = (uint32_t)argument(self, 0), second = (uint32_t)argument(self, 1);

	switch ((uint32_t)self->regs.rax) {
	case __NR_sendfile:
		return (struct move_ends){ second, first };
	case __NR_splice:
		return (struct move_ends){ first, (uint32_t)argument(self, 2) };
	case __NR_tee:
		return (struct move_ends){ first, second };
	default: /* vmsplice: from memory, or to it */
		return writes(first) ? (struct move_ends){ NO_END, first }
				     : (struct move_ends){ first, NO_END };
	}
}

/* The register with the call's flags; sendfile has none. */
static uint64_t *flags_of(struct thread *self)
{
	switch ((uint32_t)self->regs.rax) {
	case __NR_splice:
		return &self->regs.r9;
	case __NR_tee:
	case __NR_vmsplice:
		return &self->regs.r10;
	default:
		return NULL;
	}
}

static bool is_pipe(uint64_t fd)
{
	return fd != NO_END && !failed(sys(__NR_fcntl, (int)fd, F_GETPIPE_SZ));
}

/* May the descriptor make the call wait? */
static bool end_blocks(struct thread *self, uint64_t fd)
{
	uint8_t kind = fd == NO_END ? FILE_REGULAR : file_of(self, fd)->kind;

	return kind != FILE_REGULAR && kind != FILE_DIRECTORY && descriptor_blocks(fd);
}

/* The call itself, at ends that do not block. */
static long call_now(
	struct thread *self, call_handler *call, struct move_ends ends, const bool blocks[2])
{
	uint64_t *flags = flags_of(self), given = flags ? *flags : 0;
	long r;

	if (blocks[0])
		descriptor_set_blocking(ends.in, false);
	if (blocks[1])
		descriptor_set_blocking(ends.out, false);
	if (flags)
		*flags |= SPLICE_F_NONBLOCK;
	r = call(self);
	if (flags)
		*flags = given;
	if (blocks[0])
		descriptor_set_blocking(ends.in, true);
	if (blocks[1])
		descriptor_set_blocking(ends.out, true);
	return r;
}

/* Nothing could be moved: does the program want to wait for the end that is not ready? What it says
 * in the flags is about pipes alone, and of two pipes each speaks for both. */
static bool wants_to_wait(struct thread *self, struct move_ends ends, const bool blocks[2])
{
	const uint64_t *flags = flags_of(self);
	bool not = flags && (*flags & SPLICE_F_NONBLOCK);
	bool pipe_in = is_pipe(ends.in), pipe_out = is_pipe(ends.out);

	if (pipe_in && pipe_out && !(blocks[0] && blocks[1]))
		return false;
	if (ends.in != NO_END && blocks[0] && !(not &&pipe_in) &&
		!descriptor_ready(ends.in, POLLIN))
		return true;
	return ends.out != NO_END && blocks[1] && !(not &&pipe_out) &&
	       !descriptor_ready(ends.out, POLLOUT);
}

static long attempt(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct move_ends ends = move_ends_of(self);
	const bool blocks[2] = { end_blocks(self, ends.in), end_blocks(self, ends.out) };
	long r;

	(void)ns;
	if (self->pending)
		return -RESTART;
	r = call_now(self, (call_handler *)wait->args[0], ends, blocks);
	return r == -EAGAIN && wants_to_wait(self, ends, blocks) ? NOT_READY : r;
}

static long move_some(struct thread *self, call_handler *call)
{
	struct wait wait = {
		.attempt = attempt,
		.args = { (long)call },
	};
	long r = wait_for_stream(self, &wait);

	if (r > 0)
		turn_wake(self->task, PARK_STREAM);
	return r;
}

/* sendfile goes on until all is sent, unless it sends into a pipe. */
static bool goes_on(struct thread *self)
{
	uint64_t out = (uint32_t)argument(self, 0);

	return (uint32_t)self->regs.rax == __NR_sendfile && end_blocks(self, out) && !is_pipe(out);
}

long move_call(struct thread *self, call_handler *call)
{
	uint64_t all = self->regs.r10, done = 0;
	bool more = goes_on(self);
	long r;

	do {
		if (more)
			self->regs.r10 = all - done;
		r = move_some(self, call);
		if (r > 0)
			done += (uint64_t)r;
	} while (more && r > 0 && done < all && !self->pending);
	if (more)
		self->regs.r10 = all;
	return done ? (long)done : r;
}
