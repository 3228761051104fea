#include "guest/whole.h"

#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/output.h"
#include "guest/process.h"
#include "guest/report.h"
#include "guest/turn.h"

#define PARTS_MAX 1024 /* IOV_MAX */

/* The family: plain calls, and what a call by parts is made of. */
struct transfer {
	long number; /* the plain call */
	bool parts, at_offset;
};

static struct transfer transfer_of(struct thread *self)
{
	switch ((uint32_t)self->regs.rax) {
	case __NR_read:
	case __NR_write:
		return (struct transfer){ (long)self->regs.rax, false, false };
	case __NR_pread64:
	case __NR_pwrite64:
		return (struct transfer){ (long)self->regs.rax, false, true };
	case __NR_readv:
		return (struct transfer){ __NR_read, true, false };
	case __NR_writev:
		return (struct transfer){ __NR_write, true, false };
	case __NR_preadv:
		return (struct transfer){ __NR_pread64, true, true };
	case __NR_pwritev:
		return (struct transfer){ __NR_pwrite64, true, true };
	case __NR_preadv2: /* an offset of -1 is the file's own */
		return argument(self, 3) == ~0ull ? (struct transfer){ __NR_read, true, false }
						  : (struct transfer){ __NR_pread64, true, true };
	default: /* pwritev2 */
		return argument(self, 3) == ~0ull ? (struct transfer){ __NR_write, true, false }
						  : (struct transfer){ __NR_pwrite64, true, true };
	}
}

/* Moves the rest of one part. A signal of the program's waits until all is done. */
static long move(struct thread *self, struct transfer transfer, struct part part, uint64_t done)
{
	uint64_t moved = 0;

	while (moved < part.bytes) {
		long r = sys(transfer.number, (int)argument(self, 0), part.base + moved,
			part.bytes - moved,
			transfer.at_offset ? argument(self, 3) + done + moved : 0);

		if (process.arena->config.report)
			report_retry();
		if (r == -EINTR)
			continue;
		if (r <= 0)
			break;
		moved += (uint64_t)r;
	}
	return (long)moved;
}

static long finish_parts(struct thread *self, struct transfer transfer, uint64_t done)
{
	uint64_t skip = done;

	for (uint64_t i = 0; i < argument(self, 2) && i < PARTS_MAX; i++) {
		struct part part;
		uint64_t moved;

		if (copy_in(&part, argument(self, 1) + i * sizeof(part), sizeof(part)))
			break;
		if (part.bytes <= skip) {
			skip -= part.bytes;
			continue;
		}
		part.base += skip;
		part.bytes -= skip;
		skip = 0;
		moved = (uint64_t)move(self, transfer, part, done);
		done += moved;
		if (moved < part.bytes)
			break;
	}
	return (long)done;
}

static __attribute__((noinline)) long finish(struct thread *self, uint64_t done)
{
	struct transfer transfer = transfer_of(self);
	struct part part = { argument(self, 1) + done, argument(self, 2) - done };

	if (transfer.parts)
		return finish_parts(self, transfer, done);
	if (argument(self, 2) <= done)
		return (long)done;
	return (long)done + move(self, transfer, part, done);
}

/* The supervisor takes all, and /dev/zero has enough for all; but what is no signal for the program,
 * a stop from outside or a question (spin.h), may interrupt the call meanwhile. */
static bool is_whole(const struct file *file)
{
	return (process.arena->config.short_counts && file->kind == FILE_REGULAR) ||
	       ((file->output || file->kind == FILE_STILL) && turns_matter());
}

long whole_pass(struct thread *self)
{
	long r = pass_on(self);

	if (r <= 0 || !is_whole(file_of(self, (uint32_t)argument(self, 0))))
		return r;
	return finish(self, (uint64_t)r);
}

long handle_write(struct thread *self)
{
	long r = output_turn(self, (uint32_t)argument(self, 0));

	if (r)
		return r;
	r = whole_pass(self);
	if (r > 0)
		file_written(self, (uint32_t)argument(self, 0));
	return r;
}
