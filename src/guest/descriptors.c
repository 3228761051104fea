/* The guest's own descriptors stay out of the program's sight and reach. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/locks.h"
#include "guest/message_queues.h"
#include "guest/nonblocking.h"
#include "guest/pipes.h"
#include "guest/process.h"
#include "guest/socket_calls.h"
#include "guest/terminals.h"
#include "guest/turn.h"

#define CLOSE_RANGE_FLAGS 6ull /* UNSHARE, CLOEXEC */

long handle_close(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);

	if (descriptor_hidden(fd))
		return -EBADF;
	message_queues_closing(self, fd);
	if (turns_matter() && file_of(self, fd)->kind == FILE_TERMINAL) {
		file_forget(fd, fd);
		return terminal_close(self, fd);
	}
	if (turns_matter() && file_of(self, fd)->socket)
		return socket_close(self, fd);
	file_forget(fd, fd);
	return pass_on(self);
}

/* The call gives a second descriptor of the same file. */
static long duplicate(struct thread *self)
{
	long fd = pass_on(self);

	if (!failed(fd))
		file_duplicated(self, (uint32_t)argument(self, 0), (uint64_t)fd);
	return fd;
}

long handle_dup(struct thread *self)
{
	return descriptor_hidden(argument(self, 0)) ? -EBADF : duplicate(self);
}

long handle_dup2(struct thread *self)
{
	uint64_t to = (uint32_t)argument(self, 1);
	long r;

	if (descriptor_hidden(argument(self, 0)) || descriptor_hidden(to))
		return -EBADF;
	if ((uint32_t)argument(self, 0) == to)
		return duplicate(self);
	file_forget(to, to);
	r = duplicate(self);
	sockets_closed(self);
	return r;
}

long handle_dup3(struct thread *self)
{
	return handle_dup2(self);
}

static long set_flags(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0), flags = argument(self, 2);
	long r;

	/* As for open (names.c); for a pipe the flag means something else. */
	if ((flags & O_DIRECT) && !(process.relax & RELAX_INODE) &&
		file_of(self, fd)->kind == FILE_REGULAR)
		flags &= ~(uint64_t)O_DIRECT;
	r = sys_window(__NR_fcntl, fd, F_SETFL, flags);
	flags_changed();
	return r;
}

long handle_fcntl(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	uint32_t command = (uint32_t)argument(self, 1);

	if (descriptor_hidden(fd))
		return -EBADF;
	if (lock_command(command))
		return lock_fcntl(self);
	if (command >= F_GETLK && command <= F_SETLKW)
		files_lock();
	if (command >= F_OFD_GETLK && command <= F_OFD_SETLKW)
		files_lock();
	if (command == F_SETFL)
		return set_flags(self);
	if (command == F_SETPIPE_SZ && turns_matter() && file_of(self, fd)->pipe)
		return pipe_resize(self);
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicate(self) : pass_on(self);
}

/* Around the hidden ones: what lies below, then what lies above. */
long handle_close_range(struct thread *self)
{
	uint32_t first = (uint32_t)argument(self, 0), last = (uint32_t)argument(self, 1);
	uint64_t flags = argument(self, 2);
	long r = 0;

	file_forget(first, last);
	if (first > last || last < HIDDEN_FD_FIRST || first >= HIDDEN_FD_END) {
		r = pass_on(self);
		sockets_closed(self);
		return r;
	}
	if (flags & ~CLOSE_RANGE_FLAGS)
		return -EINVAL;
	if (first < HIDDEN_FD_FIRST)
		r = sys_window(__NR_close_range, first, HIDDEN_FD_FIRST - 1, flags);
	if (r == 0 && last >= HIDDEN_FD_END)
		r = sys(__NR_close_range, HIDDEN_FD_END, last, flags);
	sockets_closed(self);
	return r;
}
