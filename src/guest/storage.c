#include "guest/storage.h"

#include "guest/ahead.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/stat.h"

/* Requests that every file system answers, and those that a plain one does not know. */
enum {
	FIBMAP = 1,
	FIGETBSZ = 2,
	FIONCLEX = 0x5450,
	FIOCLEX = 0x5451,
	FIOASYNC = 0x5452,
	FIOQSIZE = 0x5460,
};
#define COPY_MOST	0x7ffff000ull /* of one call, in the kernel */
#define FIEMAP		0xc020660bu
#define FICLONE		0x40049409u
#define FICLONERANGE	0x4020940du
#define FIDEDUPERANGE	0xc0189436u

#define MODE_KEEP_SIZE	1u
#define MODE_PUNCH_HOLE 3u /* which keeps the size: every file system of today has it */

long storage_ioctl(struct thread *self)
{
	const int32_t block = BLOCK;

	switch ((uint32_t)argument(self, 1)) {
	case FIGETBSZ:
		return copy_out(argument(self, 2), &block, sizeof(block));
	case FIONREAD:
	case FIONBIO:
	case FIONCLEX:
	case FIOCLEX:
	case FIOASYNC:
	case FIOQSIZE:
		return pass_on(self);
	case FIBMAP:
		return -EINVAL;
	case FIEMAP:
	case FICLONE:
	case FICLONERANGE:
	case FIDEDUPERANGE:
		return -EOPNOTSUPP;
	default: /* flags, versions, labels, encryption, terminals */
		return -ENOTTY;
	}
}

static bool is_regular(struct thread *self, uint64_t fd)
{
	return file_of(self, (uint32_t)fd)->kind == FILE_REGULAR;
}

/* What the allocation would have shown, on a file system that cannot allocate. */
static long make_larger(int fd, int64_t end, uint64_t mode)
{
	struct kernel_stat st;
	long r = sys(__NR_fstat, fd, &st);

	if (r || mode == MODE_KEEP_SIZE || st.size >= end)
		return r;
	return sys(__NR_ftruncate, fd, end);
}

/* Room is made ahead everywhere, holes are made nowhere. */
long handle_fallocate(struct thread *self)
{
	int fd = (int)argument(self, 0);
	uint64_t mode = (uint32_t)argument(self, 1);
	int64_t offset = (int64_t)argument(self, 2), bytes = (int64_t)argument(self, 3);
	long r;

	if ((mode & ~(uint64_t)MODE_KEEP_SIZE) && mode != MODE_PUNCH_HOLE &&
		!(process.relax & RELAX_INODE) && is_regular(self, (uint32_t)fd))
		return offset < 0 || bytes <= 0 ? -EINVAL : -EOPNOTSUPP;
	r = pass_on(self);
	if (r == -EOPNOTSUPP && is_regular(self, (uint32_t)fd))
		r = make_larger(fd, offset + bytes, mode);
	if (r == 0)
		file_written(self, (uint32_t)fd);
	return r;
}

/* One side of a copy: at its own offset, or at the file's. */
struct side {
	int fd;
	bool own;
	int64_t offset;
};

static long side_of(struct side *side, uint64_t fd, uint64_t offset_at)
{
	side->fd = (int)fd;
	side->own = offset_at != 0;
	side->offset = 0;
	if (!side->own)
		return 0;
	if (copy_in(&side->offset, offset_at, sizeof(side->offset)))
		return -EFAULT;
	return side->offset < 0 ? -EINVAL : 0;
}

static long side_read(struct side *side, void *buffer, uint64_t bytes)
{
	if (side->own)
		return sys(__NR_pread64, side->fd, buffer, bytes, side->offset);
	return sys(__NR_read, side->fd, buffer, bytes);
}

static long side_write(struct side *side, const char *buffer, long bytes)
{
	long done = 0, n;

	while (done < bytes) {
		if (side->own)
			n = sys(__NR_pwrite64, side->fd, buffer + done, bytes - done,
				side->offset + done);
		else
			n = sys(__NR_write, side->fd, buffer + done, bytes - done);
		if (n <= 0)
			return done ? done : n;
		done += n;
	}
	return done;
}

static long copy_bytes(struct side *in, struct side *out, uint64_t bytes)
{
	char buffer[8192];
	uint64_t done = 0;

	while (done < bytes) {
		uint64_t want = bytes - done < sizeof(buffer) ? bytes - done : sizeof(buffer);
		long n = side_read(in, buffer, want), written;

		if (n <= 0)
			return done ? (long)done : n;
		written = side_write(out, buffer, n);
		if (written < n && !in->own) /* what was read too much */
			sys(__NR_lseek, in->fd, (written < 0 ? 0 : written) - n, SEEK_CUR);
		if (written < 0)
			return done ? (long)done : written;
		done += (uint64_t)written;
		in->offset += written;
		out->offset += written;
		if (written < n)
			break;
	}
	return (long)done;
}

static long copy_by_hand(struct thread *self)
{
	uint64_t in_at = argument(self, 1), out_at = argument(self, 3);
	struct side in, out;
	long r = side_of(&in, argument(self, 0), in_at);

	if (r == 0)
		r = side_of(&out, argument(self, 2), out_at);
	if (r)
		return r;
	r = copy_bytes(&in, &out, argument(self, 4));
	if (r > 0 && ((in.own && copy_out(in_at, &in.offset, sizeof(in.offset))) ||
			     (out.own && copy_out(out_at, &out.offset, sizeof(out.offset)))))
		r = -EFAULT;
	return r;
}

/* How much the kernel copies at once depends on what it has in memory: all that there is. */
static long copy_rest(struct thread *self, long done)
{
	uint64_t wanted = argument(self, 4) < COPY_MOST ? argument(self, 4) : COPY_MOST;
	long r;

	while (done > 0 && (uint64_t)done < wanted) {
		r = sys(__NR_copy_file_range, argument(self, 0), argument(self, 1),
			argument(self, 2), argument(self, 3), wanted - (uint64_t)done,
			argument(self, 5));
		if (r <= 0 && r != -EINTR)
			break;
		done += r > 0 ? r : 0;
	}
	return done;
}

/* Which pairs of file systems the kernel copies between depends on its version and on them. */
long handle_copy_file_range(struct thread *self)
{
	long r;

	if (file_of(self, (uint32_t)argument(self, 0))->kind == FILE_PROC)
		return -EINVAL;
	r = copy_rest(self, pass_on(self));
	if ((r == -EXDEV || r == -EOPNOTSUPP || r == -ENOSYS) &&
		is_regular(self, argument(self, 0)) && is_regular(self, argument(self, 2)))
		r = copy_by_hand(self);
	ahead_look(self, file_inode(self, (uint32_t)argument(self, 0)));
	if (r > 0)
		file_written(self, (uint32_t)argument(self, 2));
	return r;
}

/* Handles are the file system's: as on one that has none. */
long handle_name_to_handle_at(struct thread *self)
{
	uint32_t handle[2] = { 0 }, mount; /* no room: the kernel looks the file up, and says so */
	long r = sys_window(__NR_name_to_handle_at, argument(self, 0), argument(self, 1), handle,
		&mount, argument(self, 4));

	return r == 0 || r == -EOVERFLOW ? -EOPNOTSUPP : r;
}

static __attribute__((noinline)) void fill(char *to, uint64_t bytes)
{
	memset(to, 1, bytes);
}

/* What is in memory at the moment is the host's affair: everything is. */
long handle_mincore(struct thread *self)
{
	struct fault_frame frame;
	long r = pass_on(self);

	if (r)
		return r;
	if (fault_arm(&frame))
		return -EFAULT;
	fill((char *)argument(self, 2), PAGE_UP(argument(self, 1)) / PAGE);
	fault_disarm();
	return 0;
}
