/*
 * Extended attributes: the program's own (user.*), and capabilities of files, which are part of
 * what a file is. Labels of security modules, access lists and what overlays note depend on the
 * host: as on a file system without them. Lists of names are sorted.
 */
#include "guest/ahead.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/keep.h"
#include "guest/lift.h"
#include "guest/process.h"
#include "guest/touches.h"

#define LIST_MAX 8192u /* more names than this are E2BIG, as more than 64 KiB are to the kernel */
#define NAME_MAX 255

enum visibility { SHOWN, LABEL, FOREIGN };

static bool begins(const char *name, const char *with)
{
	for (; *with; name++, with++)
		if (*name != *with)
			return false;
	return true;
}

static enum visibility judge(const char *name)
{
	if (begins(name, "user."))
		return begins(name, "user.overlay.") ? LABEL : SHOWN;
	if (begins(name, "security.capability") && !name[19])
		return SHOWN;
	return begins(name, "security.") || begins(name, "trusted.") ? LABEL : FOREIGN;
}

/* Of a name in the program's memory; the kernel says what is wrong with one that is not there. */
static enum visibility visibility(uint64_t name)
{
	char text[NAME_MAX + 1];
	long length = string_length(name, sizeof(text));

	if (length <= 0 || length >= (long)sizeof(text) || copy_in(text, name, (size_t)length + 1))
		return SHOWN;
	return judge(text);
}

/* Is the error one about the file, rather than about the attribute? */
static bool about_file(long r)
{
	return failed(r) && r != -ENODATA && r != -EOPNOTSUPP && r != -ERANGE && r != -EPERM;
}

/* `get` is the call that reads attributes of the same file. */
static long hidden(struct thread *self, long get, enum visibility how, long label_error)
{
	long r = sys_window(get, argument(self, 0), argument(self, 1), 0, 0);

	if (r == -RESTART || about_file(r))
		return r;
	return how == LABEL ? label_error : -EOPNOTSUPP;
}

static long get(struct thread *self)
{
	enum visibility how = visibility(argument(self, 1));

	return how == SHOWN ? pass_on(self) : hidden(self, (uint32_t)self->regs.rax, how, -ENODATA);
}

/* A change of attributes is one of the file. */
static void mark(struct thread *self, long get)
{
	const struct name name = { AT_FDCWD, argument(self, 0) };
	uint64_t flags = get == __NR_lgetxattr ? AT_SYMLINK_NOFOLLOW : 0;
	struct inode *inode;

	if (get == __NR_fgetxattr) {
		inode = file_inode(self, (uint32_t)argument(self, 0));
		keep_descriptor(inode, (uint32_t)argument(self, 0));
	} else {
		inode = name_inode(self, name, flags);
		keep_name(inode, name, flags);
	}
	if (!inode)
		return;
	inode_mark(self, inode, INODE_CTIME);
	ahead_all(self);
	if (self->ahead.mode)
		touches_reset(inode);
}

static long change(struct thread *self, long get)
{
	enum visibility how = process.relax & RELAX_INODE ? SHOWN : visibility(argument(self, 1));
	const struct name name = { AT_FDCWD, get == __NR_fgetxattr ? 0 : argument(self, 0) };
	long r = how == SHOWN ? pass_on(self) : hidden(self, get, how, -EPERM);

	if (how == SHOWN && lift(self, name, get == __NR_lgetxattr ? AT_SYMLINK_NOFOLLOW : 0, r))
		r = pass_on(self);
	if (r == 0)
		mark(self, get);
	return r;
}

long handle_getxattr(struct thread *self)
{
	return get(self);
}

long handle_setxattr(struct thread *self)
{
	return change(self, __NR_getxattr);
}

long handle_lsetxattr(struct thread *self)
{
	return change(self, __NR_lgetxattr);
}

long handle_fsetxattr(struct thread *self)
{
	return change(self, __NR_fgetxattr);
}

/* Takes hidden names out of a list, and answers what is left of it. */
static uint64_t filter(char *list, uint64_t bytes)
{
	uint64_t kept = 0;

	for (uint64_t at = 0; at < bytes;) {
		uint64_t length = strlen(list + at) + 1;

		if (judge(list + at) == SHOWN) {
			memmove(list + kept, list + at, length);
			kept += length;
		}
		at += length;
	}
	return kept;
}

static int compare(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

/* Brings the least of the rest to the front, again and again: lists are short. */
static void sort(char *list, uint64_t bytes)
{
	char name[NAME_MAX + 1];

	for (uint64_t done = 0, length; done < bytes; done += length) {
		uint64_t least = done;

		for (uint64_t at = done; at < bytes; at += strlen(list + at) + 1)
			if (compare(list + at, list + least) < 0)
				least = at;
		length = strlen(list + least) + 1;
		memcpy(name, list + least, length);
		memmove(list + done + length, list + done, least - done);
		memcpy(list + done, name, length);
	}
}

static long list_shown(struct thread *self)
{
	uint64_t room = argument(self, 2);
	char list[LIST_MAX];
	long r = sys_window((uint32_t)self->regs.rax, argument(self, 0), list, sizeof(list));

	if (r <= 0)
		return r == -ERANGE ? -E2BIG : r;
	r = (long)filter(list, (uint64_t)r);
	if (!room)
		return r;
	sort(list, (uint64_t)r);
	if ((uint64_t)r > room)
		return -ERANGE;
	return copy_out(argument(self, 1), list, (size_t)r) ? -EFAULT : r;
}

/* Most files have no attributes, which the kernel says at once when asked how many bytes it
 * needs. */
long handle_listxattr(struct thread *self)
{
	long r = sys_window((uint32_t)self->regs.rax, argument(self, 0), 0, 0);

	return r > 0 ? list_shown(self) : r;
}
