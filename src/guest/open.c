/*
 * Opening files, and knowing which were made by it: a new file may have the number of a dead one,
 * so the table of inodes must be told. Of the two ways that O_CREAT can take the kernel does not
 * say which it took; so the guest asks for one, and then for the other.
 */
#include "guest/ahead.h"
#include "guest/descriptor.h"
#include "guest/fifos.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/keep.h"
#include "guest/lift.h"
#include "guest/names.h"
#include "guest/owners.h"
#include "guest/process.h"
#include "guest/pyc.h"
#include "guest/recorder.h"
#include "guest/turn.h"

struct open_how {
	uint64_t flags, mode, resolve;
};

/* A call of the family. */
struct opening {
	struct name name;
	struct open_how how;
	uint64_t how_bytes; /* of openat2, else 0 */
};

/*
 * With these, mounts and renames anywhere on the machine make the kernel unsure of ".." on the way,
 * and it says so: not to the program.
 */
#define RESOLVE_SURELY (0x08 /* RESOLVE_BENEATH */ | 0x10 /* RESOLVE_IN_ROOT */)
#define RESOLVE_CACHED 0x20

static long open_within(const struct opening *opening, const struct open_how *how)
{
	bool surely = (how->resolve & RESOLVE_SURELY) && !(how->resolve & RESOLVE_CACHED) &&
		      !(how->flags & O_NONBLOCK);
	long r;

	do
		r = sys_window(
			__NR_openat2, opening->name.dirfd, opening->name.path, how, sizeof(*how));
	while (r == -EAGAIN && surely);
	return r;
}

static long open_now(const struct fifo_opener *opener, uint64_t flags)
{
	const struct opening *opening = opener->opening;
	struct open_how how = opening->how;

	if (!opening->how_bytes)
		return sys_window(
			__NR_openat, opening->name.dirfd, opening->name.path, flags, how.mode);
	how.flags = flags;
	if (!(flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))))
		how.mode = 0; /* or openat2 refuses it */
	return open_within(opening, &how);
}

static long open_as(struct thread *self, const struct opening *opening, uint64_t flags)
{
	const struct fifo_opener opener = { open_now, opening };
	long fd = fifo_open(self, &opener, flags);

	if ((flags & (O_ACCMODE | O_TRUNC)) &&
		lift(self, opening->name, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, fd))
		fd = fifo_open(self, &opener, flags);
	return fd;
}

/* The loader's file is hidden below the guest's: who opens it gets the real one. */
static long open_loader(long fd, uint64_t flags)
{
	struct kernel_stat st;

	if (failed(fd) || sys(__NR_fstat, fd, &st) || !names_is_guest(st.dev, st.ino))
		return fd;
	sys(__NR_close, fd);
	file_forget((uint64_t)fd, (uint64_t)fd);
	flags &= ~(uint64_t)(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW);
	return descriptor_reopen(FD_LOADER, flags);
}

static struct inode *made(struct thread *self, long fd)
{
	struct kernel_stat st;
	struct inode *inode;

	if (sys(__NR_fstat, fd, &st))
		return NULL;
	inode = inode_fresh(self, st.dev, st.ino);
	file_set(self, (uint64_t)fd,
		(struct file){ .kind = FILE_REGULAR, .inode = inode_index(inode) });
	return inode;
}

/* The directory of a file that was made under this name. */
static struct inode *parent_of(struct thread *self, struct inode *inode, struct name name)
{
	if (inode)
		owner_inherit(self, inode, name);
	return name_parent(self, name);
}

/* ... or through a symbolic link: its own name says where. */
static __attribute__((noinline)) struct inode *parent_of_file(
	struct thread *self, struct inode *inode, long fd)
{
	char path[PATH_MAX];

	if (descriptor_path(fd, path, sizeof(path)))
		return NULL;
	return parent_of(self, inode, (struct name){ AT_FDCWD, (uint64_t)path });
}

static long made_in(struct thread *self, long fd, const struct opening *opening, bool by_link)
{
	struct inode *inode = made(self, fd), *parent;

	parent = by_link ? parent_of_file(self, inode, fd) : parent_of(self, inode, opening->name);
	if (by_link)
		ahead_all(self);
	else
		ahead_bind(self, parent, opening->name);
	if (self->ahead.expected)
		ahead_mistaken(self);
	if (inode && parent)
		inode_touch(self, parent, inode->ctime);
	return fd;
}

/* Opening a file of the image for writing makes a copy of it, which others then find. */
static void ahead_opened(struct thread *self, struct inode *inode, uint64_t flags)
{
	if (flags & O_TRUNC)
		ahead_write(self, inode);
	else if (!(inode->flags & INODE_MADE))
		ahead_change(self, inode);
	else
		ahead_look(self, inode);
}

/* Before a file is opened that may be changed by that, ahead of the turn: which will it be? */
static void foretell(struct thread *self, const struct opening *opening)
{
	uint64_t flags = opening->how.flags;
	struct kernel_stat st;
	struct inode *inode;

	if (!ahead_now(self) || !(flags & (O_ACCMODE | O_TRUNC | O_CREAT)))
		return;
	if (name_status(opening->name, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, &st)) {
		inode = inode_look(self, st.dev, st.ino);
		self->ahead.expected = inode_index(inode);
		if (!(flags & O_EXCL))
			ahead_opened(self, inode, flags);
	} else if (flags & O_CREAT) {
		ahead_bind(self, name_parent(self, opening->name), opening->name);
	}
}

/* A file that was there is open: its content is gone, or may change from now on. */
static void opened(struct thread *self, long fd, uint64_t flags)
{
	struct inode *inode = NULL;

	if (flags & O_TRUNC)
		file_written(self, (uint64_t)fd);
	if (flags & (O_ACCMODE | O_TRUNC))
		inode = file_inode(self, (uint64_t)fd);
	if (!inode)
		return;
	ahead_opened(self, inode, flags);
	if (self->ahead.expected != inode_index(inode))
		ahead_mistaken(self);
	keep_descriptor(inode, (uint64_t)fd);
}

static long open_there(struct thread *self, const struct opening *opening)
{
	long fd = open_as(self, opening, opening->how.flags & ~(uint64_t)O_CREAT);

	if (failed(fd))
		return fd;
	/* With O_CREAT the kernel opens no directory, even for reading. */
	if ((opening->how.flags & O_ACCMODE) == O_RDONLY &&
		file_of(self, (uint64_t)fd)->kind == FILE_DIRECTORY) {
		sys(__NR_close, fd);
		file_forget((uint64_t)fd, (uint64_t)fd);
		return -EISDIR;
	}
	opened(self, fd, opening->how.flags);
	return fd;
}

/* What is not there, and can not be made as a new file either, is a link that leads nowhere yet. */
static long open_creating(struct thread *self, const struct opening *opening)
{
	uint64_t flags = opening->how.flags;
	long fd;

	if (flags & O_DIRECTORY)
		return -EINVAL;
	for (int tries = 0; tries < 2 && !(flags & O_EXCL); tries++) {
		fd = open_there(self, opening);
		if (fd != -ENOENT)
			return fd;
		fd = open_as(self, opening, flags | O_EXCL);
		if (fd != -EEXIST)
			return failed(fd) ? fd : made_in(self, fd, opening, false);
	}
	fd = open_as(self, opening, flags);
	return failed(fd) ? fd : made_in(self, fd, opening, !(flags & O_EXCL));
}

/* When it is closed its number may be another's, unless it gets a name. */
static void made_nameless(struct thread *self, long fd)
{
	struct inode *inode = made(self, fd);

	if (inode)
		__atomic_or_fetch(&inode->flags, INODE_GONE, __ATOMIC_RELAXED);
}

static long open_plain(struct thread *self, const struct opening *opening)
{
	uint64_t flags = opening->how.flags;
	long fd;

	if (flags & O_PATH)
		return open_as(self, opening, flags);
	if ((flags & O_CREAT) && (flags & O_TMPFILE) != O_TMPFILE)
		return open_creating(self, opening);
	fd = open_as(self, opening, flags);
	if (failed(fd))
		return fd;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		made_nameless(self, fd);
	else
		opened(self, fd, flags);
	return fd;
}

/* A bundle's file without its content is there, but cannot be opened. */
static long take_back(long fd, long error)
{
	sys(__NR_close, fd);
	file_forget((uint64_t)fd, (uint64_t)fd);
	return error;
}

/*
 * Reads and writes past the cache are refused by some file systems, and ask for an alignment that
 * depends on the disk by others: all files are read through it.
 */
static long open_file(struct thread *self, struct opening *opening)
{
	const uint32_t both = RELAX_INODE | RELAX_MTIME;
	enum name_kind kind = names_classify(opening->name.path);
	uint64_t flags = opening->how.flags;
	long fd;

	if (names_absent(opening->name.path))
		return -ENOENT;
	if (!(process.relax & RELAX_INODE))
		opening->how.flags = flags &= ~(uint64_t)O_DIRECT;
	if (kind == NAME_SELF)
		return sys_window(
			__NR_openat, AT_FDCWD, program_path, flags & ~(uint64_t)O_NOFOLLOW);
	foretell(self, opening);
	fd = (process.relax & both) == both ? pass_on(self) : open_plain(self, opening);
	if (kind == NAME_LOADER)
		return open_loader(fd, flags);
	if (!failed(fd) && failed(recorder_judge(fd, flags)))
		return take_back(fd, recorder_judge(fd, flags));
	if (kind == NAME_PYC && !failed(fd) && !(flags & (O_ACCMODE | O_PATH)))
		pyc_opened(self, fd, opening->name);
	if (turns_matter() && !failed(fd))
		file_opened(self, (uint64_t)fd);
	return fd;
}

long handle_open(struct thread *self)
{
	struct opening opening = {
		.name = { AT_FDCWD, argument(self, 0) },
		.how = { (uint32_t)argument(self, 1), (uint32_t)argument(self, 2), 0 },
	};

	return open_file(self, &opening);
}

long handle_creat(struct thread *self)
{
	struct opening opening = {
		.name = { AT_FDCWD, argument(self, 0) },
		.how = { O_CREAT | O_WRONLY | O_TRUNC, (uint32_t)argument(self, 1), 0 },
	};

	return open_file(self, &opening);
}

long handle_openat(struct thread *self)
{
	struct opening opening = {
		.name = { (int)argument(self, 0), argument(self, 1) },
		.how = { (uint32_t)argument(self, 2), (uint32_t)argument(self, 3), 0 },
	};

	return open_file(self, &opening);
}

/* A size that is not the fixed kernel's, and wrong flags, are for the kernel to judge. */
long handle_openat2(struct thread *self)
{
	struct opening opening = {
		.name = { (int)argument(self, 0), argument(self, 1) },
		.how_bytes = argument(self, 3),
	};

	if (opening.how_bytes != sizeof(opening.how))
		return pass_on(self);
	if (copy_in(&opening.how, argument(self, 2), sizeof(opening.how)))
		return -EFAULT;
	if (opening.how.mode && !(opening.how.flags & (O_CREAT | O_TMPFILE)))
		return pass_on(self);
	return open_file(self, &opening);
}
