#include "guest/names.h"

#include "guest/handlers.h"
#include "guest/process.h"

#define O_CREAT	   0100
#define O_EXCL	   0200
#define O_TRUNC	   01000
#define O_NOFOLLOW 0400000
#define O_DIRECT   040000

enum name_kind {
	NAME_PLAIN,
	NAME_LOADER, /* may be the file that the guest lies over: named ld-*, or ld.so */
	NAME_SELF,   /* /proc/self/exe of a program that the guest carries */
};

static bool is_self_exe(const char *path)
{
	const char *rest;

	if (memcmp(path, "/proc/", 6) != 0)
		return false;
	rest = path + 6;
	if (memcmp(rest, "self/", 5) == 0)
		return memcmp(rest + 5, "exe", 4) == 0;
	if (memcmp(rest, "thread-self/", 12) == 0)
		return memcmp(rest + 12, "exe", 4) == 0;
	for (long pid = 0; *rest >= '0' && *rest <= '9'; rest++) {
		pid = pid * 10 + (*rest - '0');
		if (rest[1] == '/' && pid == sys(__NR_getpid))
			return memcmp(rest + 2, "exe", 4) == 0;
	}
	return false;
}

/* Most paths are plain, and this is all that it costs to know. */
static __attribute__((noinline)) enum name_kind classify_text(const char *path)
{
	const char *last = path;

	for (const char *c = path; *c; c++)
		if (*c == '/')
			last = c + 1;
	if (last[0] == 'l' && last[1] == 'd' && (last[2] == '-' || memcmp(last + 2, ".so", 4) == 0))
		return NAME_LOADER;
	if (process.carried && last[0] == 'e' && is_self_exe(path))
		return NAME_SELF;
	return NAME_PLAIN;
}

static enum name_kind classify(uint64_t path)
{
	struct fault_frame frame;
	enum name_kind kind;

	if (fault_arm(&frame))
		return NAME_PLAIN; /* the kernel will say EFAULT */
	kind = classify_text((const char *)path);
	fault_disarm();
	return kind;
}

const char *names_own_program(const char *path)
{
	return process.carried && classify((uint64_t)path) == NAME_SELF ? process.path : path;
}

static __attribute__((noinline)) bool is_guest_identity(
	const volatile uint64_t *inode, const volatile uint64_t *device)
{
	const struct arena_config *config = &process.arena->config;

	return *inode == config->guest_inode && (!device || *device == config->guest_device);
}

/* The loader's file is hidden below the guest's: who opens it gets the real one. */
static long open_loader(long fd, uint64_t flags)
{
	struct kernel_stat st;

	if (failed(fd) || sys(__NR_fstat, fd, &st) || !is_guest_identity(&st.ino, &st.dev))
		return fd;
	sys(__NR_close, fd);
	flags &= ~(uint64_t)(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW);
	return sys(__NR_openat, FD_PROC, "self/fd/2002", flags);
}
_Static_assert(FD_LOADER == 2002, "its name in /proc");

/*
 * Reads and writes past the cache are refused by some file systems, and ask for an alignment that
 * depends on the disk by others: all files are read through it.
 */
static long open_cached(struct thread *self)
{
	const uint64_t direct = O_DIRECT;
	struct {
		uint64_t flags, mode, resolve;
	} how = { 0 };

	switch ((uint32_t)self->regs.rax) {
	case __NR_open:
		return sys_window(__NR_open, argument(self, 0), argument(self, 1) & ~direct,
			argument(self, 2));
	case __NR_openat:
		return sys_window(__NR_openat, argument(self, 0), argument(self, 1),
			argument(self, 2) & ~direct, argument(self, 3));
	default: /* openat2; a longer structure has parts that the fixed kernel does not know */
		if (argument(self, 3) != sizeof(how) ||
			copy_in(&how, argument(self, 2), sizeof(how)))
			return pass_on(self);
		how.flags &= ~direct;
		return sys_window(
			__NR_openat2, argument(self, 0), argument(self, 1), &how, sizeof(how));
	}
}

static long open_at(struct thread *self, uint64_t path, uint64_t flags)
{
	if ((flags & O_DIRECT) && !(process.relax & RELAX_INODE))
		return open_cached(self);
	switch (classify(path)) {
	case NAME_PLAIN:
		break;
	case NAME_LOADER:
		return open_loader(pass_on(self), flags);
	case NAME_SELF:
		return sys_window(
			__NR_openat, AT_FDCWD, process.path, flags & ~(uint64_t)O_NOFOLLOW);
	}
	return pass_on(self);
}

long handle_open(struct thread *self)
{
	return open_at(self, argument(self, 0), argument(self, 1));
}

long handle_openat(struct thread *self)
{
	return open_at(self, argument(self, 1), argument(self, 2));
}

long handle_openat2(struct thread *self)
{
	uint64_t flags;

	if (copy_in(&flags, argument(self, 2), sizeof(flags)))
		return -EFAULT;
	return open_at(self, argument(self, 1), flags);
}

static long read_link(struct thread *self, uint64_t path, uint64_t buffer, long bytes)
{
	long length;

	if (!process.carried || classify(path) != NAME_SELF)
		return pass_on(self);
	if (bytes <= 0)
		return -EINVAL;
	length = (long)strlen(process.path);
	if (length > bytes)
		length = bytes;
	return copy_out(buffer, process.path, (size_t)length) ? -EFAULT : length;
}

long handle_readlink(struct thread *self)
{
	return read_link(self, argument(self, 0), argument(self, 1), (int)argument(self, 2));
}

long handle_readlinkat(struct thread *self)
{
	return read_link(self, argument(self, 1), argument(self, 2), (int)argument(self, 3));
}

/*
 * stat and its relatives show the loader in place of the guest's file: programs compare what stat says
 * of a name with what fstat says of the file that they then open. Most calls are about other files, so
 * the kernel is asked first: does what it wrote identify the guest's file?
 */
static bool shows_guest(uint64_t inode_at, uint64_t device_at)
{
	struct fault_frame frame;
	bool same;

	if (fault_arm(&frame))
		return false;
	same = is_guest_identity((const uint64_t *)inode_at, (const uint64_t *)device_at);
	fault_disarm();
	return same;
}

static long stat_at(struct thread *self, uint64_t path, uint64_t buffer, bool follow)
{
	long r;

	if (process.carried && follow && classify(path) == NAME_SELF)
		return sys_window(__NR_newfstatat, AT_FDCWD, process.path, buffer, 0);
	r = pass_on(self);
	if (r == 0 && shows_guest(buffer + offsetof(struct kernel_stat, ino),
			      buffer + offsetof(struct kernel_stat, dev)))
		r = sys(__NR_fstat, FD_LOADER, buffer);
	return r;
}

long handle_stat(struct thread *self)
{
	return stat_at(self, argument(self, 0), argument(self, 1), true);
}

long handle_lstat(struct thread *self)
{
	return stat_at(self, argument(self, 0), argument(self, 1), false);
}

long handle_newfstatat(struct thread *self)
{
	return stat_at(self, argument(self, 1), argument(self, 2),
		!(argument(self, 3) & AT_SYMLINK_NOFOLLOW));
}

#define STATX_INO 32 /* offset of stx_ino */

long handle_statx(struct thread *self)
{
	uint64_t flags = argument(self, 2), mask = argument(self, 3), buffer = argument(self, 4);
	long r;

	if (process.carried && !(flags & AT_SYMLINK_NOFOLLOW) &&
		classify(argument(self, 1)) == NAME_SELF)
		return sys_window(__NR_statx, AT_FDCWD, process.path, flags, mask, buffer);
	r = pass_on(self);
	/* Devices are split in two there; a file of the same number elsewhere is not named so. */
	if (r == 0 && shows_guest(buffer + STATX_INO, 0) &&
		classify(argument(self, 1)) == NAME_LOADER)
		r = sys(__NR_statx, FD_LOADER, "", AT_EMPTY_PATH, mask, buffer);
	return r;
}
