/* Names that come and go: what is made gets a number and times of its own, and the times of the
 * directories that hold the names move, as natively. */
#include "guest/handlers.h"
#include "guest/keep.h"
#include "guest/numbers.h"
#include "guest/process.h"

#define AF_UNIX 1

/* The present, at which all that an event touches is marked; they were looked up before. */
static void mark(struct inode *inode, uint32_t times, int64_t now)
{
	if (inode)
		inode_set(inode, times, now);
}

static void made(struct thread *self, struct name name)
{
	struct inode *parent;
	struct kernel_stat st;

	if (!name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return;
	parent = name_parent(self, name);
	mark(parent, INODE_MTIME | INODE_CTIME, inode_fresh(self, st.dev, st.ino)->ctime);
}

/* The call made what the name now leads to. */
static long make(struct thread *self, struct name name)
{
	long r = pass_on(self);

	if (r == 0)
		made(self, name);
	return r;
}

static struct name here(const struct thread *self, int path)
{
	return (struct name){ AT_FDCWD, argument(self, path) };
}

static struct name at(const struct thread *self, int dirfd)
{
	return (struct name){ (int)argument(self, dirfd), argument(self, dirfd + 1) };
}

long handle_mkdir(struct thread *self)
{
	return make(self, here(self, 0));
}

long handle_mkdirat(struct thread *self)
{
	return make(self, at(self, 0));
}

long handle_symlink(struct thread *self)
{
	return make(self, here(self, 1));
}

long handle_symlinkat(struct thread *self)
{
	return make(self, at(self, 1));
}

/* A socket with a name in the file system, among others. */
long handle_bind_name(struct thread *self)
{
	struct {
		uint16_t family;
		char path[108 + 1];
	} address = { 0 };
	uint64_t from = argument(self, 1), bytes = (uint32_t)argument(self, 2);
	bool named = bytes > sizeof(address.family) && bytes < sizeof(address) &&
		     copy_in(&address, from, bytes) == 0 && address.family == AF_UNIX &&
		     address.path[0];
	long r = process.relax & RELAX_NET ? pass_on(self) : handle_bind(self);

	if (r == 0 && named)
		made(self, (struct name){ AT_FDCWD, (uint64_t)address.path });
	return r;
}

/* A name came or went: the file's ctime moves, and the directory's times. */
static long mark_name(struct thread *self, struct inode *inode, struct name name)
{
	struct inode *parent = name_parent(self, name);
	int64_t now = inode_now(self);

	mark(inode, INODE_CTIME, now);
	mark(parent, INODE_MTIME | INODE_CTIME, now);
	return 0;
}

static long link_to(struct thread *self, struct name from, uint64_t flags, struct name name)
{
	struct inode *inode;
	long r;

	numbered(self, from, flags);
	r = pass_on(self);
	if (r)
		return r;
	inode = name_inode(self, name, AT_SYMLINK_NOFOLLOW);
	keep_name(inode, name, AT_SYMLINK_NOFOLLOW);
	return mark_name(self, inode, name);
}

long handle_link(struct thread *self)
{
	return link_to(self, here(self, 0), AT_SYMLINK_NOFOLLOW, here(self, 1));
}

long handle_linkat(struct thread *self)
{
	uint64_t flags = argument(self, 4);

	return link_to(self, at(self, 0),
		(flags & AT_SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW) | (flags & AT_EMPTY_PATH),
		at(self, 2));
}

/* The file may have other names, or be open. */
static long take_away(struct thread *self, struct name name)
{
	struct inode *inode = numbered(self, name, AT_SYMLINK_NOFOLLOW);
	long r = pass_on(self);

	return r ? r : mark_name(self, inode, name);
}

long handle_unlink(struct thread *self)
{
	return take_away(self, here(self, 0));
}

long handle_rmdir(struct thread *self)
{
	return take_away(self, here(self, 0));
}

long handle_unlinkat(struct thread *self)
{
	return take_away(self, at(self, 0));
}

/* When both are names of one file nothing happens. */
static long move(struct thread *self, struct name from, struct name to)
{
	struct inode *replaced = numbered(self, to, AT_SYMLINK_NOFOLLOW), *moved, *parents[2];
	int64_t now;
	long r;

	numbered(self, from, AT_SYMLINK_NOFOLLOW);
	r = pass_on(self);
	if (r)
		return r;
	moved = name_inode(self, to, AT_SYMLINK_NOFOLLOW);
	if (moved == replaced)
		return 0;
	keep_name(moved, to, AT_SYMLINK_NOFOLLOW);
	parents[0] = name_parent(self, from);
	parents[1] = name_parent(self, to);
	now = inode_now(self);
	mark(moved, INODE_CTIME, now);
	mark(replaced, INODE_CTIME, now);
	mark(parents[0], INODE_MTIME | INODE_CTIME, now);
	mark(parents[1], INODE_MTIME | INODE_CTIME, now);
	return 0;
}

long handle_rename(struct thread *self)
{
	return move(self, here(self, 0), here(self, 1));
}

long handle_renameat(struct thread *self)
{
	return move(self, at(self, 0), at(self, 2));
}

long handle_renameat2(struct thread *self)
{
	return move(self, at(self, 0), at(self, 2));
}

/* Below, the directory is called "/": what it was called before would no longer be known. */
long handle_chroot(struct thread *self)
{
	numbered(self, here(self, 0), 0);
	return pass_on(self);
}
