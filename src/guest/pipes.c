#include "guest/pipes.h"

#include "guest/files.h"
#include "guest/near.h"
#include "guest/nonblocking.h"
#include "guest/process.h"
#include "guest/stream_mask.h"
#include "guest/turn.h"
#include "guest/waits.h"
#include "guest/whole.h"

#define RW_MAX	     0x7ffff000 /* bytes that a call moves at most */
#define CAPACITY     65536
#define CAPACITY_MAX (1u << 20) /* /proc/sys/fs/pipe-max-size */
#define PARTS_MAX    1024
#define RWF_NOWAIT   8

static int pipe_of(const struct thread *self)
{
	return (int)argument(self, 0);
}

static uint32_t number_of(const struct thread *self)
{
	return (uint32_t)self->regs.rax;
}

static bool has_flags(const struct thread *self)
{
	return number_of(self) == __NR_preadv2 || number_of(self) == __NR_pwritev2;
}

static bool is_plain(const struct thread *self)
{
	return number_of(self) == __NR_read || number_of(self) == __NR_write;
}

/* Does the program want to wait? */
static bool blocks(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);

	if (has_flags(self) && (argument(self, 5) & RWF_NOWAIT))
		return false;
	return file_blocks(file_of(self, fd), fd);
}

/* What is left of a call's parts: those behind *done bytes, of which *done belong to the first. */
static uint64_t parts_left(uint64_t at, uint64_t *count, uint64_t *done, struct part *first)
{
	for (; *count; --*count, at += sizeof(*first)) {
		if (copy_in(first, at, sizeof(*first)))
			break;
		if (*done < first->bytes)
			break;
		*done -= first->bytes;
	}
	return at;
}

/* The call that moves what is left after `done` bytes; `flags` are those of preadv2. */
static long call_rest(struct thread *self, long number, uint64_t done, uint64_t flags)
{
	uint64_t at = argument(self, 1), count = argument(self, 2);
	uint64_t offset = has_flags(self) ? argument(self, 3) : ~0ull;
	struct part part = { at + done, count - done };

	if (has_flags(self))
		flags |= argument(self, 5);
	if (!is_plain(self) && done) {
		at = parts_left(at, &count, &done, &part);
		part = (struct part){ part.base + done, part.bytes - done };
	}
	return is_plain(self) || done
		       ? sys_window(number, pipe_of(self), &part, 1, offset, 0, flags)
		       : sys_window(number, pipe_of(self), at, count, offset, 0, flags);
}

/* The kernel gives little room to users who have many pipes, of all their processes together. */
_Noreturn static void no_room(void)
{
	fatal("this user has too many pipes on the host: /proc/sys/fs/pipe-user-pages-soft", "");
}

static void check_capacity(const struct thread *self, struct file *file)
{
	long bytes = sys(__NR_fcntl, pipe_of(self), F_GETPIPE_SZ);

	if (!failed(bytes) && bytes < CAPACITY && !process.arena->resized)
		no_room();
	file->pipe = PIPE_NOWAIT;
}

/* As for users who may not go beyond the limit of a plain machine. */
long pipe_resize(struct thread *self)
{
	uint32_t bytes = (uint32_t)argument(self, 2);
	long r;

	if (bytes > CAPACITY_MAX && bytes <= 1u << 31)
		return -EPERM;
	process.arena->resized = 1;
	r = pass_on(self);
	if (r == -EPERM)
		no_room();
	turn_wake_streams(self->task, stream_mask(self, pipe_of(self)));
	return r;
}

static void set_nonblocking(int fd, int on)
{
	sys(__NR_ioctl, fd, FIONBIO, &on);
}

/*
 * The same for pipes that do not know RWF_NOWAIT: FIFOs, and all of them before Linux 6.4. Others
 * share the open file, but act in their own turns, and whoever is killed by one of them is not in
 * its turn: nobody sees the flag.
 */
static long try_by_flag(struct thread *self, long number, uint64_t done)
{
	bool waits = blocks(self);
	long r;

	if (waits)
		set_nonblocking(pipe_of(self), 1);
	r = done ? call_rest(self, number, done, 0) : pass_on(self);
	if (waits)
		set_nonblocking(pipe_of(self), 0);
	return r;
}

/* Moves what can be moved at once; who waits for the other end looks again. */
static long try(struct thread *self, long number, uint64_t done)
{
	struct file *file = file_of(self, (uint32_t)argument(self, 0));
	long r = -EOPNOTSUPP;

	if (file->pipe == PIPE_NEW)
		check_capacity(self, file);
	if (file->pipe == PIPE_NOWAIT && argument(self, 2) <= RW_MAX)
		r = call_rest(self, number, done, RWF_NOWAIT);
	if (r == -EOPNOTSUPP) {
		file->pipe = PIPE_PLAIN;
		r = try_by_flag(self, number, done);
	}
	if (r > 0) {
		near_moved(self, (uint64_t)r);
		turn_wake_streams(self->task, stream_mask(self, pipe_of(self)));
	}
	return r;
}

enum { ALL, DONE }; /* of wait.args: bytes to write, bytes written */

static long attempt_write(struct thread *self, struct wait *wait, uint64_t ns)
{
	long r, *done = &wait->args[DONE];

	(void)ns;
	if (self->pending)
		return *done ? *done : -RESTART;
	do {
		r = try(self, __NR_pwritev2, (uint64_t)*done);
		if (r > 0)
			*done += r;
	} while (r > 0 && *done < wait->args[ALL] &&
		 descriptor_ready((uint64_t)pipe_of(self), POLLOUT));
	if ((r == -EAGAIN || (r > 0 && *done < wait->args[ALL])) && blocks(self))
		return NOT_READY;
	return *done ? *done : r;
}

/* The sum of the parts of a vector; one that is wrong is for the kernel to judge. */
static long bytes_of(const struct thread *self)
{
	uint64_t at = argument(self, 1), count = argument(self, 2), sum = 0;
	struct part part;

	if (is_plain(self))
		return count < RW_MAX ? (long)count : RW_MAX;
	for (uint64_t i = 0; i < count && i < PARTS_MAX && sum < RW_MAX; i++) {
		if (copy_in(&part, at + i * sizeof(part), sizeof(part)))
			break;
		sum += part.bytes < RW_MAX ? part.bytes : RW_MAX;
	}
	return sum < RW_MAX ? (long)sum : RW_MAX;
}

static long attempt_read(struct thread *self, struct wait *wait, uint64_t ns)
{
	long r;

	(void)wait;
	(void)ns;
	if (self->pending)
		return -RESTART;
	r = try(self, __NR_preadv2, 0);
	return r == -EAGAIN && blocks(self) ? NOT_READY : r;
}

long pipe_write(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_write,
		.streams = stream_mask(self, pipe_of(self)),
		.args = { [ALL] = bytes_of(self) },
	};

	return wait_for_stream(self, &wait);
}

long pipe_read(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_read,
		.streams = stream_mask(self, pipe_of(self)),
	};

	return wait_for_stream(self, &wait);
}
