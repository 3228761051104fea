/* Names that come and go: what is made gets a number and times of its own, and the times of the
 * directories that hold the names move, as natively. */
#include "guest/ahead.h"
#include "guest/fifos.h"
#include "guest/handlers.h"
#include "guest/keep.h"
#include "guest/lift.h"
#include "guest/numbers.h"
#include "guest/owners.h"
#include "guest/process.h"
#include "guest/recorder.h"

#define AF_UNIX		1
#define RENAME_EXCHANGE 2

/* The present, at which all that an event touches is marked; they were looked up before. */
static void mark(struct inode *inode, int64_t now)
{
	if (inode)
		inode_set(inode, INODE_CTIME, now);
}

static void touch(struct thread *self, struct inode *directory, int64_t now)
{
	if (directory)
		inode_touch(self, directory, now);
}

static void made(struct thread *self, struct name name)
{
	struct inode *parent, *inode;
	struct kernel_stat st;

	if (!name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return;
	if ((st.mode & S_IFMT) == S_IFIFO)
		fifo_made();
	parent = name_parent(self, name);
	ahead_bind(self, parent, name);
	inode = inode_fresh(self, st.dev, st.ino);
	owner_inherit(self, inode, name);
	touch(self, parent, inode->ctime);
}

/* Ahead of its turn, a call says first that the name will come, if it can. */
static bool is_there(struct thread *self, struct name name)
{
	struct kernel_stat st;

	if (!ahead_now(self))
		return false;
	if (name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return true;
	ahead_bind(self, name_parent(self, name), name);
	return false;
}

/* The call made what the name now leads to. */
static long make(struct thread *self, struct name name)
{
	bool was_there = is_there(self, name);
	long r = pass_on(self);

	if (r == 0 && was_there)
		ahead_mistaken(self);
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
	ahead_make(self, here(self, 0));
	return make(self, here(self, 0));
}

long handle_mkdirat(struct thread *self)
{
	ahead_make(self, at(self, 0));
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
static long mark_name(struct thread *self, struct inode *inode, struct inode *parent)
{
	int64_t now = inode_now(self);

	mark(inode, now);
	touch(self, parent, now);
	return 0;
}

/*
 * A link to an initial file: the layer may know the new name, or both, under another number than it
 * had. For programs they are one file.
 */
static void unite(struct thread *self, struct inode *before, struct inode *linked, struct name name)
{
	struct kernel_stat st;

	owner_carry(before, linked);
	if (name_status(name, AT_SYMLINK_NOFOLLOW, &st) &&
		inode_look(self, st.dev, st.ino) != linked)
		inode_alias(linked, st.dev, st.ino);
}

static long link_to(struct thread *self, struct name from, uint64_t flags, struct name name)
{
	struct inode *before = numbered(self, from, flags), *linked, *parent;
	bool was_there = is_there(self, name);
	long r;

	ahead_change(self, before);
	r = pass_on(self);
	if (lift(self, from, flags, r))
		r = pass_on(self);
	if (r)
		return r;
	if (was_there || (ahead_now(self) && name_inode(self, name, AT_SYMLINK_NOFOLLOW) != before))
		ahead_mistaken(self);
	linked = numbered(self, from, flags);
	parent = name_parent(self, name);
	ahead_change(self, linked);
	ahead_bind(self, parent, name);
	if (linked)
		__atomic_and_fetch(&linked->flags, ~(uint32_t)INODE_GONE, __ATOMIC_RELAXED);
	mark_name(self, linked, parent);
	if (linked)
		unite(self, before, linked, name);
	keep_name(linked, name, AT_SYMLINK_NOFOLLOW);
	return 0;
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

/* What a name leads to, with its directory: one of the two that a call takes away or moves. */
struct binding {
	struct name name;
	struct inode *parent, *inode; /* NULL: none */
	bool last;		      /* the file has no other name */
	bool directory, link;	      /* others may come by it on their way */
	uint64_t number;	      /* by this name, of an initial file that has others; else 0 */
};

static struct binding binding_of(struct thread *self, struct name name)
{
	struct binding binding = { .name = name, .parent = name_parent(self, name) };
	struct kernel_stat st;

	if (!name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return binding;
	binding.inode = inode_seen(self, &st);
	if (!(process.relax & RELAX_INODE))
		number_of(self, binding.inode, &st, name, AT_SYMLINK_NOFOLLOW);
	binding.directory = (st.mode & S_IFMT) == S_IFDIR;
	binding.link = (st.mode & S_IFMT) == S_IFLNK;
	binding.last = st.nlink == 1 || (st.mode & S_IFMT) == S_IFDIR;
	if (!binding.last && !(binding.inode->flags & INODE_MADE))
		binding.number = number_by_name(self, &st, name, AT_SYMLINK_NOFOLLOW);
	return binding;
}

/* The name leads elsewhere, or nowhere: said before, ahead of the turn, and after it was done. */
static void unbind(struct thread *self, const struct binding *binding, bool moves)
{
	ahead_bind(self, binding->parent, binding->name);
	ahead_change(self, binding->inode);
	if (binding->link || (binding->directory && moves))
		ahead_all(self);
	else if (binding->directory)
		ahead_remove(self, binding->inode);
}

static void gone(const struct binding *binding)
{
	if (binding->inode && binding->last)
		__atomic_or_fetch(&binding->inode->flags, INODE_GONE, __ATOMIC_RELAXED);
}

/* The file may have other names, or be open. */
static long take_away(struct thread *self, struct name name)
{
	struct binding binding = binding_of(self, name);
	long r;

	if (binding.inode && ahead_now(self))
		unbind(self, &binding, false);
	r = pass_on(self);
	if (r == -ENOTEMPTY && binding.inode)
		ahead_list(self, binding.inode);
	if (r)
		return r;
	if (!binding.inode)
		ahead_mistaken(self);
	unbind(self, &binding, false);
	gone(&binding);
	return mark_name(self, binding.inode, binding.parent);
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

/* To move one of several names of an initial file, the layer makes another file of it. */
static void broken(struct thread *self, const struct binding *source, struct inode *moved)
{
	if (source->number && !(process.relax & RELAX_INODE))
		number_give(self, moved, source->number);
	owner_carry(source->inode, moved);
}

/* A directory of the run's own that stays where it is: paths back out of it lead to the same place
 * as before. */
static bool is_renamed(
	struct thread *self, const struct binding *source, const struct binding *target)
{
	return source->directory && source->inode->flags & INODE_MADE &&
	       source->parent == target->parent && !ahead_now(self);
}

/* When both are names of one file nothing happens. */
static long move(struct thread *self, struct name from, struct name to, bool exchange)
{
	struct binding source = binding_of(self, from), target = binding_of(self, to);
	bool renamed = !exchange && is_renamed(self, &source, &target);
	struct inode *moved;
	int64_t now;
	long r;

	if (source.directory)
		ahead_make(self, to);
	if (target.directory && exchange)
		ahead_make(self, from);
	if (source.inode && source.inode != target.inode && ahead_now(self)) {
		unbind(self, &source, true);
		unbind(self, &target, exchange);
	}
	r = pass_on(self);
	if (lift(self, from, AT_SYMLINK_NOFOLLOW, r))
		r = pass_on(self);
	if (r == -ENOTEMPTY && target.inode)
		ahead_list(self, target.inode);
	if (r)
		return r;
	moved = name_inode(self, to, AT_SYMLINK_NOFOLLOW);
	if (moved != source.inode)
		ahead_mistaken(self);
	if (moved == target.inode)
		return 0;
	if (moved && moved != source.inode)
		broken(self, &source, moved);
	if (source.directory || source.link || target.directory || target.link)
		recorder_link_made();
	if (renamed)
		ahead_moved(self, to);
	unbind(self, &source, !renamed);
	unbind(self, &target, exchange);
	if (!exchange)
		gone(&target);
	keep_name(moved, to, AT_SYMLINK_NOFOLLOW);
	now = inode_now(self);
	mark(moved, now);
	mark(target.inode, now);
	touch(self, source.parent, now);
	touch(self, target.parent, now);
	return 0;
}

long handle_rename(struct thread *self)
{
	return move(self, here(self, 0), here(self, 1), false);
}

long handle_renameat(struct thread *self)
{
	return move(self, at(self, 0), at(self, 2), false);
}

long handle_renameat2(struct thread *self)
{
	return move(self, at(self, 0), at(self, 2), argument(self, 4) & RENAME_EXCHANGE);
}

/* Below, the directory is called "/": what it was called before would no longer be known. */
long handle_chroot(struct thread *self)
{
	numbered(self, here(self, 0), 0);
	return pass_on(self);
}
