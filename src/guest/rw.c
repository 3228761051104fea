/*
 * Reads and writes, by what the descriptor leads to. Most go to the kernel as they are: this is the
 * hottest path of all, so the kinds that need more are found by one look at a table.
 */
#include "guest/ahead.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/inotify.h"
#include "guest/output.h"
#include "guest/proc.h"
#include "guest/pyc.h"
#include "guest/random.h"
#include "guest/socket_calls.h"
#include "guest/timerfd.h"
#include "guest/whole.h"

#define IOV_MAX 1024

struct iovec {
	uint64_t base, bytes;
};

/* What to do with a kind of file in place of the call itself; none: pass it on. */
struct operations {
	call_handler *read, *read_vector;
	call_handler *move; /* sendfile, splice and copy_file_range from it */
};

/*
 * /dev/random and /dev/urandom. The kernel is asked first for nothing at all: whether the
 * descriptor is open, and for reading, and what else is wrong with the call, is for it to say.
 */
static long random_read(struct thread *self)
{
	const struct regs *r = &self->regs;
	long error = sys((uint32_t)r->rax, r->rdi, r->rsi, 0, r->r10);

	return error ? error : random_fill_program(self, r->rsi, r->rdx);
}

/* As the kernel takes a vector: all of it is judged before any byte is moved. */
static long vector_check(uint64_t vector, uint64_t count)
{
	struct iovec part;

	if (count > IOV_MAX)
		return -EINVAL;
	for (uint64_t i = 0; i < count; i++) {
		if (copy_in(&part, vector + i * sizeof(part), sizeof(part)))
			return -EFAULT;
		if ((int64_t)part.bytes < 0)
			return -EINVAL;
	}
	return 0;
}

static long random_fill_vector(struct thread *self, uint64_t vector, uint64_t count)
{
	struct iovec part;
	long done = 0;

	for (uint64_t i = 0; i < count; i++) {
		long r;

		if (copy_in(&part, vector + i * sizeof(part), sizeof(part)))
			return done ? done : -EFAULT;
		r = random_fill_program(self, part.base, part.bytes);
		if (r < 0)
			return done ? done : r;
		done += r;
		if ((uint64_t)r < part.bytes)
			break;
	}
	return done;
}

static long random_read_vector(struct thread *self)
{
	const struct regs *r = &self->regs;
	uint32_t number = (uint32_t)r->rax;
	uint8_t byte;
	const struct iovec one = { (uint64_t)&byte, sizeof(byte) };
	long error;

	/* preadv2's flags are looked at only when there is something to read. */
	error = sys(number, r->rdi, &one, number == __NR_preadv2, r->r10, r->r8, r->r9);
	if (error >= 0)
		error = vector_check(r->rsi, r->rdx);
	return error ? error : random_fill_vector(self, r->rsi, r->rdx);
}

/* As on the fixed kernel, where these devices cannot be spliced from; programs then read. */
static long random_move(struct thread *self)
{
	const struct regs *r = &self->regs;
	uint32_t number = (uint32_t)r->rax;
	bool sendfile = number == __NR_sendfile;
	long error = sendfile ? sys(number, r->rdi, r->rsi, r->rdx, 0)
			      : sys(number, r->rdi, r->rsi, r->rdx, r->r10, 0, r->r9);

	return error || !(sendfile ? r->r10 : r->r8) ? error : -EINVAL;
}

static const struct operations operations[] = {
	[FILE_REGULAR] = { whole_pass, whole_pass, NULL },
	[FILE_PYC] = { .read = pyc_read },
	[FILE_RANDOM] = { random_read, random_read_vector, random_move },
	[FILE_PROC] = { proc_read, proc_read_vector, proc_move },
	[FILE_TIMER] = { timerfd_read, timerfd_read_vector, NULL },
	[FILE_INOTIFY] = { inotify_read, inotify_read_vector, NULL },
	[FILE_STILL] = { whole_pass, whole_pass, NULL },
	[FILE_OTHER] = { 0 },
};

static const struct operations *operations_of(struct thread *self, uint64_t fd)
{
	return &operations[file_of(self, (uint32_t)fd)->kind];
}

long handle_read(struct thread *self)
{
	call_handler *read = operations_of(self, argument(self, 0))->read;

	return read ? read(self) : pass_on(self);
}

long handle_readv(struct thread *self)
{
	call_handler *read = operations_of(self, argument(self, 0))->read_vector;

	return read ? read(self) : pass_on(self);
}

/* From one descriptor to another, whose file changes; `bytes` is the register that says how many
 * are to be moved. */
static long move_between(struct thread *self, uint64_t from, uint64_t to, uint64_t *bytes)
{
	call_handler *move = operations_of(self, from)->move;
	uint64_t all = *bytes;
	long r = output_turn(self, (uint32_t)to);

	if (r)
		return r;
	if (!move && file_of(self, (uint32_t)to)->socket)
		*bytes = socket_room(self, (uint32_t)to, all);
	r = move ? move(self) : pass_on(self);
	ahead_look(self, file_inode(self, (uint32_t)from));
	*bytes = all;
	if (r > 0)
		socket_moved(self, (uint32_t)from, (uint32_t)to, (uint64_t)r);
	if (r > 0)
		file_written(self, (uint32_t)to);
	return r;
}

long handle_sendfile(struct thread *self)
{
	return move_between(self, argument(self, 1), argument(self, 0), &self->regs.r10);
}

/* splice and copy_file_range name the source first. */
long handle_splice(struct thread *self)
{
	return move_between(self, argument(self, 0), argument(self, 2), &self->regs.r8);
}
