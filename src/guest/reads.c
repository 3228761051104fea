/* Reads: what is in a file of /proc is the guest's to say. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/proc.h"

static bool is_proc(struct thread *self, int fd)
{
	return file_of(self, (uint32_t)fd)->kind == FILE_PROC;
}

long handle_read(struct thread *self)
{
	int fd = (int)argument(self, 0);
	long r = PROC_NATIVE;

	if (is_proc(self, fd))
		r = proc_read(self, fd, argument(self, 1), argument(self, 2), -1);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

/* Offsets below zero are refused by the kernel. */
long handle_pread64(struct thread *self)
{
	int fd = (int)argument(self, 0);
	int64_t offset = (int64_t)argument(self, 3);
	long r = PROC_NATIVE;

	if (offset >= 0 && is_proc(self, fd))
		r = proc_read(self, fd, argument(self, 1), argument(self, 2), offset);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

long handle_readv(struct thread *self)
{
	int fd = (int)argument(self, 0);
	long r = PROC_NATIVE;

	if (is_proc(self, fd))
		r = proc_readv(self, fd, argument(self, 1), argument(self, 2), -1);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

long handle_preadv(struct thread *self)
{
	int fd = (int)argument(self, 0);
	int64_t offset = (int64_t)argument(self, 3);
	long r = PROC_NATIVE;

	if (offset >= 0 && is_proc(self, fd))
		r = proc_readv(self, fd, argument(self, 1), argument(self, 2), offset);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

/* With -1 for the descriptor's own offset. */
long handle_preadv2(struct thread *self)
{
	int fd = (int)argument(self, 0);
	int64_t offset = (int64_t)argument(self, 3);
	long r = PROC_NATIVE;

	if (offset >= -1 && is_proc(self, fd))
		r = proc_readv(self, fd, argument(self, 1), argument(self, 2), offset);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

/* These move bytes inside the kernel; programs that meet a file which they cannot be used on read and
 * write instead. */
long handle_sendfile(struct thread *self)
{
	return is_proc(self, (int)argument(self, 1)) ? -EINVAL : pass_on(self);
}

long handle_splice(struct thread *self)
{
	return is_proc(self, (int)argument(self, 0)) ? -EINVAL : pass_on(self);
}

long handle_copy_file_range(struct thread *self)
{
	return is_proc(self, (int)argument(self, 0)) ? -EINVAL : pass_on(self);
}
