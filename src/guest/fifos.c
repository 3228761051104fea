#include "guest/fifos.h"

#include "guest/files.h"
#include "guest/in_line.h"
#include "guest/nonblocking.h"
#include "guest/process.h"
#include "guest/terminals.h"
#include "guest/turn.h"

#define PIPEFS_MAGIC 0x50495045

void fifo_made(void)
{
	process.arena->fifos = 1;
}

/* Who opens an end waits for the other; `came` is noted in who waits. */
enum side { READS = 1, WRITES = 2, CAME = 4 };

/* The line for the ends of a FIFO; 0: it is none, or a pipe, which nobody waits for. */
static uint64_t fifo_object(long fd)
{
	struct {
		int64_t type, rest[32];
	} system = { 0 };
	struct kernel_stat st;

	if (sys(__NR_fstat, fd, &st))
		return 0;
	if ((st.mode & S_IFMT) == S_IFCHR)
		terminal_opened(fd, st.rdev);
	if ((st.mode & S_IFMT) != S_IFIFO || sys(__NR_fstatfs, fd, &system) ||
		system.type == PIPEFS_MAGIC)
		return 0;
	return line_file(LINE_FIFO, (uint64_t)fd);
}

static uint32_t sides_of(uint64_t flags)
{
	return (flags & O_ACCMODE) == O_RDONLY	 ? READS
	       : (flags & O_ACCMODE) == O_WRONLY ? WRITES
						 : READS | WRITES;
}

/* The calling task has opened these ends: who waited for them need not any longer. */
static void announce(struct thread *self, uint64_t object, uint32_t sides)
{
	struct waiter *waiter;
	uint32_t at = 0;

	while ((waiter = line_next(object, &at))) {
		if ((waiter->note == READS && (sides & WRITES)) ||
			(waiter->note == WRITES && (sides & READS)))
			waiter->note = CAME;
		turn_wake_one(self->task, PARK_LINE, at - 1);
	}
}

/* A reader who does not block tells by what it reads whether there is a writer; what is there to be
 * read was written by one. */
static bool has_writer(long fd)
{
	char byte;

	return descriptor_ready((uint64_t)fd, POLLIN) ||
	       sys(__NR_read, fd, &byte, sizeof(byte)) == -EAGAIN;
}

static long attempt_meeting(struct thread *self, struct line *line)
{
	const struct waiter *own = &process.arena->waiters[self->task];

	return own->object == line->object && own->note == CAME ? 0 : NOT_READY;
}

/* Until somebody has opened the other end, even if only for a moment. */
static long await_other(struct thread *self, uint64_t object, uint32_t side)
{
	struct line line = {
		.object = object,
		.attempt = attempt_meeting,
		.deadline = NEVER,
		.restarts = true,
		.note = side,
	};

	return line_run(self, &line);
}

static long finish(struct thread *self, long fd, uint64_t object, uint32_t side)
{
	long r = await_other(self, object, side);

	if (!r)
		return fd;
	sys(__NR_close, fd);
	file_forget((uint64_t)fd, (uint64_t)fd);
	turn_wake(self->task, PARK_STREAM);
	return r;
}

static long open_as(const struct fifo_opener *opener, uint64_t flags)
{
	return opener->open(opener, flags);
}

static long attempt_to_write(struct thread *self, struct line *line)
{
	long fd = open_as(
		(const struct fifo_opener *)line->args[0], (uint64_t)line->args[1] | O_NONBLOCK);

	(void)self;
	return fd == -ENXIO ? NOT_READY : fd;
}

/* Who may not read it comes back when somebody does. */
static long open_when_read(struct thread *self, const struct fifo_opener *opener, uint64_t flags)
{
	long place = open_as(opener, O_PATH | O_CLOEXEC), fd;
	struct line line = {
		.object = failed(place) ? 0 : fifo_object(place),
		.attempt = attempt_to_write,
		.deadline = NEVER,
		.restarts = true,
		.note = WRITES,
		.args = { (long)opener, (long)flags },
	};

	if (!failed(place))
		sys(__NR_close, place);
	fd = line.object ? line_run(self, &line) : -ENXIO;
	if (failed(fd))
		return fd;
	descriptor_set_blocking((uint64_t)fd, true);
	announce(self, line.object, WRITES);
	return fd;
}

/* As the kernel, a writer counts as one while it waits: with a reader of its own it can open its
 * end. Its descriptor is then the lowest again. */
static long open_writer(struct thread *self, const struct fifo_opener *opener, uint64_t flags)
{
	long reader = open_as(opener, (flags & O_CLOEXEC) | O_RDONLY | O_NONBLOCK);
	uint64_t object;
	long high, fd;

	if (reader == -EACCES || reader == -EMFILE)
		return open_when_read(self, opener, flags);
	if (failed(reader))
		return reader;
	object = fifo_object(reader);
	high = object ? open_as(opener, flags | O_NONBLOCK) : -ENXIO;
	sys(__NR_close, reader);
	file_forget((uint64_t)reader, (uint64_t)reader);
	if (failed(high))
		return high;
	fd = sys(__NR_fcntl, high, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
	sys(__NR_close, high);
	descriptor_set_blocking((uint64_t)fd, true);
	announce(self, object, WRITES);
	return finish(self, fd, object, WRITES);
}

/* What has been opened without blocking is as the program wants it; a reader may have to wait. */
static long opened(struct thread *self, long fd, uint64_t flags)
{
	uint64_t object = fifo_object(fd);
	bool waits = object && sides_of(flags) == READS && !(flags & O_NONBLOCK) && !has_writer(fd);

	if (!(flags & O_NONBLOCK))
		sys(__NR_fcntl, fd, F_SETFL, flags);
	if (object)
		announce(self, object, sides_of(flags));
	return waits ? finish(self, fd, object, READS) : fd;
}

static long note_terminal(long fd)
{
	struct kernel_stat st;

	if (process.arena->terminals && !failed(fd) && sys(__NR_fstat, fd, &st) == 0 &&
		(st.mode & S_IFMT) == S_IFCHR)
		terminal_opened(fd, st.rdev);
	return fd;
}

long fifo_open(struct thread *self, const struct fifo_opener *opener, uint64_t flags)
{
	long fd;

	if (!process.arena->fifos || !turns_matter() || (flags & (O_PATH | O_EXCL | O_DIRECTORY)))
		return note_terminal(open_as(opener, flags));
	fd = open_as(opener, flags | O_NONBLOCK);
	if (fd == -ENXIO && sides_of(flags) == WRITES && !(flags & O_NONBLOCK))
		return open_writer(self, opener, flags);
	return failed(fd) ? fd : opened(self, fd, flags);
}
