/*
 * Changes of a file's attributes. The kernel makes them, so errors are its own; the table of inodes
 * gets the times. A change of owner that the kernel refuses only because the container has no such
 * user is shown to the program all the same, when it is root there.
 */
#include "guest/ahead.h"
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/keep.h"
#include "guest/lift.h"
#include "guest/names.h"
#include "guest/owners.h"
#include "guest/process.h"
#include "guest/stat.h"
#include "guest/touches.h"

#define UTIME_NOW  0x3fffffffl
#define UTIME_OMIT 0x3ffffffel
#define NSEC_USEC  1000
#define UNCHANGED  (~0u) /* of chown's ids */

/* What a call is about: a name, or a descriptor when that is NULL. */
struct object {
	struct name name;
	uint64_t flags; /* AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH */
};

static struct object by_path(const struct thread *self, uint64_t flags)
{
	return (struct object){ { AT_FDCWD, argument(self, 0) }, flags };
}

static struct object by_name(const struct thread *self, uint64_t flags)
{
	return (struct object){ { (int)argument(self, 0), argument(self, 1) }, flags };
}

static struct object by_descriptor(const struct thread *self)
{
	return (struct object){ { (int)argument(self, 0), 0 }, 0 };
}

static bool status_of(struct object object, struct kernel_stat *st)
{
	if (!object.name.path)
		return sys(__NR_fstat, object.name.dirfd, st) == 0;
	return name_status(object.name, object.flags, st);
}

static struct inode *inode_of(struct thread *self, struct object object)
{
	struct kernel_stat st;

	return status_of(object, &st) ? inode_seen(self, &st) : NULL;
}

static long call(struct thread *self, struct object object)
{
	long r = pass_on(self);

	return lift(self, object.name, object.flags, r) ? pass_on(self) : r;
}

static void keep(struct inode *inode, struct object object)
{
	if (object.name.path)
		keep_name(inode, object.name, object.flags);
	else
		keep_descriptor(inode, (uint64_t)object.name.dirfd);
}

enum aspect {
	CONTENT,
	ATTRIBUTES, /* of a directory, all that is below depends on them */
	TIMES,
};

/* Is it a directory that the run made, and the caller's turn? Files of the image are copied when
 * they are changed. */
static bool is_own_directory(
	struct thread *self, const struct kernel_stat *st, const struct inode *inode)
{
	return (st->mode & S_IFMT) == S_IFDIR && (inode->flags & INODE_MADE) && !ahead_now(self);
}

/* What a call is about to change. */
static struct inode *foretell(struct thread *self, struct object object, enum aspect aspect)
{
	struct kernel_stat st;
	struct inode *inode;

	if (!status_of(object, &st))
		return NULL;
	inode = inode_look(self, st.dev, st.ino);
	if (aspect == CONTENT)
		ahead_write(self, inode);
	else
		ahead_change(self, inode);
	if (aspect == TIMES && is_own_directory(self, &st, inode)) {
		ahead_list(self, inode);
		ahead_touch(self, inode);
	} else if ((st.mode & S_IFMT) == S_IFDIR) {
		ahead_all(self);
	}
	return inode;
}

/* A directory's times are now what they were set to. */
static void settle(struct thread *self, const struct inode *inode)
{
	if (self->ahead.mode)
		touches_reset(inode);
}

static long change(struct thread *self, struct object object, uint32_t times)
{
	struct inode *foretold = foretell(self, object, times & INODE_MTIME ? CONTENT : ATTRIBUTES);
	struct inode *inode;
	long r = call(self, object);

	inode = r ? NULL : inode_of(self, object);
	if (inode) {
		if (inode != foretold)
			ahead_mistaken(self);
		inode_mark(self, inode, times);
		settle(self, inode);
		keep(inode, object);
	}
	return r;
}

/*
 * What makes and packs directories sets modes and owners that they have already. Then only the ctime
 * moves, and who comes by the directory on his way does not see that.
 */
static long renew(struct thread *self, struct object object, struct inode *directory)
{
	long r;

	ahead_look(self, directory);
	r = pass_on(self);
	if (r == 0) {
		inode_renew(self, directory);
		keep(directory, object);
	}
	return r;
}

/* The directory, if it is to get the mode that it has. The kernel may take the group's bit away. */
static struct inode *keeps_mode(struct thread *self, struct object object, uint64_t mode)
{
	struct kernel_stat st;
	struct inode *inode;

	if (!status_of(object, &st) || ((st.mode ^ mode) & 07777) || (mode & S_ISGID))
		return NULL;
	inode = inode_look(self, st.dev, st.ino);
	return is_own_directory(self, &st, inode) ? inode : NULL;
}

static long change_mode(struct thread *self, struct object object, uint64_t mode)
{
	struct inode *directory = keeps_mode(self, object, mode);

	return directory ? renew(self, object, directory) : change(self, object, INODE_CTIME);
}

long handle_chmod(struct thread *self)
{
	return change_mode(self, by_path(self, 0), argument(self, 1));
}

long handle_fchmod(struct thread *self)
{
	return change_mode(self, by_descriptor(self), argument(self, 1));
}

long handle_fchmodat(struct thread *self)
{
	return change_mode(self, by_name(self, 0), argument(self, 2));
}

long handle_truncate(struct thread *self)
{
	return change(self, by_path(self, 0), INODE_MTIME | INODE_CTIME);
}

long handle_ftruncate(struct thread *self)
{
	long r = pass_on(self);

	if (r == 0)
		file_written(self, (uint32_t)argument(self, 0));
	return r;
}

/* Owners. */

static bool lacks_user(long error)
{
	return (error == -EPERM || error == -EINVAL || error == -EOVERFLOW) &&
	       !(process.relax & RELAX_INODE) && sys(__NR_geteuid) == 0;
}

/* All that the kernel does besides when a file gets another owner: its setuid bits go, and a file of
 * the image is copied. */
static long change_no_owner(const struct thread *self, int ids)
{
	const struct regs *r = &self->regs;

	if (ids == 1)
		return sys(r->rax, r->rdi, UNCHANGED, UNCHANGED);
	return sys(r->rax, r->rdi, r->rsi, UNCHANGED, UNCHANGED, r->r8);
}

static bool is_id(uint32_t id, uint32_t kept, uint32_t shown)
{
	return id == UNCHANGED || (id == kept && id == shown);
}

/* The directory, if it is to get the owner that it has, for the kernel and for programs. */
static struct inode *keeps_owner(
	struct thread *self, struct object object, uint32_t uid, uint32_t gid)
{
	struct kernel_stat st;
	struct inode *inode;
	bool given;

	if (!status_of(object, &st))
		return NULL;
	inode = inode_look(self, st.dev, st.ino);
	given = inode->flags & INODE_OWNED;
	return is_own_directory(self, &st, inode) &&
			       is_id(uid, st.uid, given ? inode->uid : st.uid) &&
			       is_id(gid, st.gid, given ? inode->gid : st.gid)
		       ? inode
		       : NULL;
}

/* `ids` is the argument with the user, the one behind it has the group. */
static long change_owner(struct thread *self, struct object object, int ids)
{
	uint32_t uid = (uint32_t)argument(self, ids), gid = (uint32_t)argument(self, ids + 1);
	struct kernel_stat st;
	struct inode *inode = keeps_owner(self, object, uid, gid), *foretold;
	long r;

	if (inode && renew(self, object, inode) == 0)
		return 0;
	foretold = foretell(self, object, ATTRIBUTES);
	r = pass_on(self);
	if (r && !lacks_user(r))
		return r;
	if (r && lift(self, object.name, object.flags, change_no_owner(self, ids)))
		change_no_owner(self, ids);
	if (!status_of(object, &st))
		return r;
	inode = stat_show(
		self, &st, object.name, object.flags | (object.name.path ? 0 : AT_EMPTY_PATH));
	if (!foretold || inode != foretold)
		ahead_mistaken(self);
	owner_set(inode, uid == UNCHANGED ? st.uid : uid, gid == UNCHANGED ? st.gid : gid);
	keep(inode, object);
	inode_mark(self, inode, INODE_CTIME);
	settle(self, inode);
	return 0;
}

long handle_chown(struct thread *self)
{
	return change_owner(self, by_path(self, 0), 1);
}

long handle_lchown(struct thread *self)
{
	return change_owner(self, by_path(self, AT_SYMLINK_NOFOLLOW), 1);
}

long handle_fchown(struct thread *self)
{
	return change_owner(self, by_descriptor(self), 1);
}

long handle_fchownat(struct thread *self)
{
	return change_owner(self, by_name(self, argument(self, 4)), 2);
}

/* Times that the program sets: access, then modification. */

struct wish {
	bool omit, now;
	int64_t time;
};

static long wishes_of_timespec(uint64_t from, struct wish wishes[2])
{
	int64_t parts[2][2];

	if (copy_in(parts, from, sizeof(parts)))
		return -EFAULT;
	for (int i = 0; i < 2; i++)
		wishes[i] = (struct wish){
			.omit = parts[i][1] == UTIME_OMIT,
			.now = parts[i][1] == UTIME_NOW,
			.time = inode_time(parts[i][0], parts[i][1]),
		};
	return 0;
}

static long wishes_of_timeval(uint64_t from, struct wish wishes[2])
{
	int64_t parts[2][2];

	if (copy_in(parts, from, sizeof(parts)))
		return -EFAULT;
	for (int i = 0; i < 2; i++)
		wishes[i] =
			(struct wish){ .time = inode_time(parts[i][0], parts[i][1] * NSEC_USEC) };
	return 0;
}

static long wishes_of_seconds(uint64_t from, struct wish wishes[2])
{
	int64_t parts[2];

	if (copy_in(parts, from, sizeof(parts)))
		return -EFAULT;
	for (int i = 0; i < 2; i++)
		wishes[i] = (struct wish){ .time = inode_time(parts[i], 0) };
	return 0;
}

static long set_times(struct thread *self, struct object object, uint64_t from,
	long (*read)(uint64_t from, struct wish wishes[2]))
{
	static const uint32_t which[2] = { INODE_ATIME, INODE_MTIME };
	struct wish wishes[2] = { { .now = true }, { .now = true } };
	struct inode *foretold, *inode;
	int64_t now;
	long r;

	if (from && read(from, wishes))
		return -EFAULT;
	foretold = foretell(self, object, TIMES);
	r = call(self, object);
	if (r || (wishes[0].omit && wishes[1].omit))
		return r;
	inode = inode_of(self, object);
	if (inode != foretold)
		ahead_mistaken(self);
	if (!inode)
		return 0;
	keep(inode, object);
	now = inode_now(self);
	inode_set(inode, INODE_CTIME, now);
	for (int i = 0; i < 2; i++)
		if (!wishes[i].omit)
			inode_set(inode, which[i], wishes[i].now ? now : wishes[i].time);
	settle(self, inode);
	return 0;
}

long handle_utimensat(struct thread *self)
{
	return set_times(
		self, by_name(self, argument(self, 3)), argument(self, 2), wishes_of_timespec);
}

long handle_futimesat(struct thread *self)
{
	return set_times(self, by_name(self, 0), argument(self, 2), wishes_of_timeval);
}

long handle_utimes(struct thread *self)
{
	return set_times(self, by_path(self, 0), argument(self, 1), wishes_of_timeval);
}

long handle_utime(struct thread *self)
{
	return set_times(self, by_path(self, 0), argument(self, 1), wishes_of_seconds);
}
