#include "guest/numbers.h"

#include "arena/numbers.h"
#include "guest/process.h"
#include "guest/stat.h"
#include "guest/text.h"

/* What a number is made from, besides: no two kinds are mistaken for each other. */
enum seed { SEED_MADE = 1, SEED_OUTSIDE, SEED_ANONYMOUS, SEED_TEXT };

uint64_t number_fresh(struct thread *self)
{
	struct task *task = &process.arena->tasks[self->task];
	uint32_t ordinal = __atomic_add_fetch(&task->made, 1, __ATOMIC_RELAXED);

	return number_finish(identity_mix(identity_mix(SEED_MADE, task->place), ordinal));
}

/* Where the call at hand is in the order of events. */
static uint64_t place_of(const struct thread *self)
{
	return self->ahead.mode ? self->ahead.place : 0;
}

/*
 * The file has a number by another name: the right one, unless whoever gave it should have come
 * later.
 */
static void check(struct thread *self, const struct inode *inode)
{
	if (__atomic_load_n(&inode->numbered, __ATOMIC_SEQ_CST) > place_of(self))
		conflict(self, "two processes looked at a file by different names", "");
}

/* Noted before the number is given, so that nobody finds one without the other. */
static void note(const struct thread *self, struct inode *inode)
{
	uint64_t place = place_of(self), known = inode->numbered;

	while (known < place && !__atomic_compare_exchange_n(&inode->numbered, &known, place, false,
					__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/* The first number that a file is given is the one that it keeps. */
static uint64_t settle(struct thread *self, struct inode *inode, uint64_t number)
{
	uint64_t shown = 0;

	if (!inode->shown)
		note(self, inode);
	if (__atomic_compare_exchange_n(
		    &inode->shown, &shown, number, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return number;
	if (shown != number)
		check(self, inode);
	return shown;
}

uint64_t number_by_text(struct thread *self, struct inode *inode, const char *text)
{
	return inode->shown ? inode->shown : settle(self, inode, number_below(SEED_TEXT, text, 0));
}

void number_give(struct thread *self, struct inode *inode, uint64_t number)
{
	settle(self, inode, number);
}

/* It was numbered before a process could take it for its root. */
static uint64_t of_root(struct thread *self)
{
	struct kernel_stat st;
	uint64_t number = 0;

	if (sys(__NR_newfstatat, AT_FDCWD, "/", &st, 0) == 0)
		number = inode_look(self, st.dev, st.ino)->shown;
	return number ? number : ROOT_NUMBER;
}

/* Of one directory and all above it that have none; the path is without symbolic links. */
static uint64_t descend(struct thread *self, char *path)
{
	uint64_t number = of_root(self);
	char *part = path + 1, *end;
	struct kernel_stat st;

	for (; *part; part = end + 1) {
		char after;
		struct inode *inode;

		for (end = part; *end && *end != '/'; end++)
			;
		after = *end;
		*end = 0;
		if (sys(__NR_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW))
			return 0;
		inode = inode_look(self, st.dev, st.ino);
		number = inode->shown ? inode->shown
				      : settle(self, inode, number_below(number, part, 0));
		if (!after)
			break;
		*end = after;
	}
	return number;
}

static __attribute__((noinline)) uint64_t of_directory(struct thread *self, struct name name)
{
	char path[PATH_MAX];

	return name_canonical(name, name.path ? 0 : AT_EMPTY_PATH, path) ? descend(self, path) : 0;
}

static char *last_part(char *path)
{
	char *last = path;

	for (char *c = path; *c; c++)
		if (*c == '/')
			last = c + 1;
	return last;
}

/* Does the name itself say under which name the file lies in its directory? */
static bool is_plain(
	struct name name, uint64_t flags, const struct kernel_stat *st, char path[PATH_MAX])
{
	long length = name.path ? string_length(name.path, PATH_MAX - 1) : 0;
	const char *last;
	struct kernel_stat self;

	if (length <= 0 || copy_in(path, name.path, (size_t)length))
		return false;
	path[length] = 0;
	last = last_part(path);
	if (!*last || text_is_dots(last))
		return false;
	return (flags & AT_SYMLINK_NOFOLLOW) || (name_status(name, AT_SYMLINK_NOFOLLOW, &self) &&
							self.ino == st->ino && self.dev == st->dev);
}

/* Of the directory that holds the last part of the path. */
static uint64_t of_parent(struct thread *self, int dirfd, char *path, char *last)
{
	struct name parent = { dirfd, (uint64_t)(last > path ? path : ".") };
	char first = *last;
	struct kernel_stat st;
	uint64_t number = 0;

	*last = 0; /* the slash stays, so that a link to the directory is followed */
	if (name_status(parent, 0, &st)) {
		number = inode_look(self, st.dev, st.ino)->shown;
		if (!number)
			number = of_directory(self, parent);
	}
	*last = first;
	return number;
}

__attribute__((noinline)) uint64_t number_by_name(
	struct thread *self, const struct kernel_stat *st, struct name name, uint64_t flags)
{
	char path[PATH_MAX], *last;
	int dirfd = name.dirfd;
	uint64_t parent;

	if (!is_plain(name, flags, st, path)) {
		if (!name_canonical(name, flags, path))
			return 0;
		dirfd = AT_FDCWD;
	}
	last = last_part(path);
	parent = *last ? of_parent(self, dirfd, path, last) : 0;
	return parent ? number_below(parent, last, 0) : 0;
}

/* Which of the streams that the command was started with it is, + 1; or 0. */
static uint32_t outside(const struct kernel_stat *st)
{
	const struct outside *streams = process.arena->config.outside;

	for (uint32_t i = 0; i < 3; i++)
		if (streams[i].device == st->dev && streams[i].inode == st->ino)
			return i + 1;
	return 0;
}

static uint64_t find(
	struct thread *self, const struct kernel_stat *st, struct name name, uint64_t flags)
{
	enum device_class class = stat_class(st->dev);
	uint64_t number = 0;

	if (class == DEVICE_ANONYMOUS)
		return number_finish(SEED_ANONYMOUS);
	if (outside(st) && class != DEVICE_NODES)
		return number_finish(identity_mix(SEED_OUTSIDE, outside(st)));
	if (class < DEVICE_FIRST_MADE || class == DEVICE_ORDINARY)
		number = number_by_name(self, st, name, flags);
	return number ? number : number_fresh(self);
}

/* Could somebody who looks ahead of his turn have given it another number than the first? */
static bool is_doubtful(const struct inode *inode, const struct kernel_stat *st)
{
	return st->nlink > 1 && (st->mode & S_IFMT) != S_IFDIR && inode->numbered &&
	       !process.arena->config.strict;
}

uint64_t number_of(struct thread *self, struct inode *inode, const struct kernel_stat *st,
	struct name name, uint64_t flags)
{
	uint64_t number = __atomic_load_n(&inode->shown, __ATOMIC_SEQ_CST);

	if (number && !is_doubtful(inode, st))
		return number;
	return settle(self, inode, find(self, st, name, flags));
}

static uint64_t of_listed(struct thread *self, struct numbered_directory *in)
{
	const struct name itself = { in->fd, 0 };

	if (!in->number)
		in->number = number_of(self, inode_look(self, in->st->dev, in->st->ino), in->st,
			itself, AT_EMPTY_PATH);
	return in->number;
}

uint64_t number_in(
	struct thread *self, struct numbered_directory *in, struct inode *inode, const char *name)
{
	const struct name entry = { in->fd, (uint64_t)name };
	struct kernel_stat st;

	if (inode->shown && !(inode->numbered && !process.arena->config.strict))
		return inode->shown;
	if (text_is_dots(name) && name_status(entry, 0, &st))
		return number_of(self, inode, &st, entry, 0);
	return settle(self, inode, number_below(of_listed(self, in), name, 0));
}

struct inode *numbered(struct thread *self, struct name name, uint64_t flags)
{
	struct kernel_stat st;
	struct inode *inode;

	if (!name_status(name, flags, &st))
		return NULL;
	inode = inode_seen(self, &st);
	if (!(process.relax & RELAX_INODE))
		number_of(self, inode, &st, name, flags);
	return inode;
}
