#include "guest/numbers.h"

#include "arena/identity.h"
#include "guest/descriptor.h"
#include "guest/process.h"
#include "guest/stat.h"
#include "guest/turn.h"

#define NUMBER_BITS  52	  /* programs keep numbers in doubles, too */
#define NUMBER_FIRST 1024 /* below are those that mean something, as the root's */
#define PROBES	     64
#define SAMPLE_BYTES 4096

/* What a number is made from, besides: no two kinds are mistaken for each other. */
enum seed { SEED_MADE = 1, SEED_LINKED, SEED_OUTSIDE, SEED_ANONYMOUS, SEED_TEXT };

static uint64_t finish(uint64_t hash)
{
	hash = identity_mix(identity_mix(hash, hash >> 17), NUMBER_BITS);
	hash >>= 64 - NUMBER_BITS;
	return hash < NUMBER_FIRST ? hash + NUMBER_FIRST : hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = identity_mix(hash, (uint8_t)*text);
	return hash;
}

uint64_t number_fresh(struct thread *self)
{
	struct task *task = &process.arena->tasks[self->task];
	uint32_t ordinal = __atomic_add_fetch(&task->made, 1, __ATOMIC_RELAXED);

	return finish(identity_mix(identity_mix(SEED_MADE, task->place), ordinal));
}

/* The first number that a file is given is the one that it keeps. */
static uint64_t settle(struct inode *inode, uint64_t number)
{
	uint64_t none = 0;

	return __atomic_compare_exchange_n(
		       &inode->shown, &none, number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
		       ? number
		       : none;
}

uint64_t number_by_text(struct inode *inode, const char *text)
{
	return inode->shown ? inode->shown : settle(inode, finish(hash_text(SEED_TEXT, text)));
}

/* Files with several names: the name would depend on who looks first. */

static __attribute__((noinline)) uint64_t hash_sample(uint64_t hash, long fd)
{
	uint64_t words[SAMPLE_BYTES / 8] = { 0 };
	long copy = descriptor_reopen(fd, O_RDONLY | O_CLOEXEC);

	if (failed(copy))
		return hash;
	sys(__NR_pread64, copy, words, sizeof(words), 0);
	sys(__NR_close, copy);
	for (size_t i = 0; i < SAMPLE_BYTES / 8; i++)
		hash = identity_mix(hash, words[i]);
	return hash;
}

/* True when the number is the file's, false when it is another's. */
static bool claim(struct linked *place, uint64_t number, uint32_t index)
{
	uint64_t none = 0;
	uint32_t nobody = 0;

	return (__atomic_compare_exchange_n(
			&place->shown, &none, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		       none == number) &&
	       (__atomic_compare_exchange_n(
			&place->inode, &nobody, index, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		       nobody == index);
}

/*
 * Two files that look alike are told apart by who was seen first; that is the same on each run only
 * when everybody looks in turn.
 */
static uint64_t distinct(struct thread *self, const struct inode *inode, uint64_t number)
{
	struct linked *table = process.arena->linked;

	for (uint32_t i = 0; i < PROBES; i++) {
		struct linked *place = &table[(number + i) % LINKED];

		if (claim(place, number, inode_index(inode)))
			return number;
		if (place->shown != number)
			continue;
		if (!process.arena->config.strict && turns_matter())
			conflict(self, "files with several names look alike", "");
		number = finish(number);
		i = ~0u;
	}
	return number;
}

/* What the name leads to, by a descriptor that is to be closed unless it is the name's own. */
static long open_path(struct name name, uint64_t flags)
{
	if (flags & AT_EMPTY_PATH && (!name.path || string_length(name.path, 1) == 0))
		return name.dirfd;
	return sys(__NR_openat, name.dirfd, name.path,
		O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0));
}

static void close_path(struct name name, long fd)
{
	if (fd != name.dirfd)
		sys(__NR_close, fd);
}

static uint64_t by_content(struct thread *self, const struct inode *inode,
	const struct kernel_stat *st, struct name name, uint64_t flags)
{
	uint64_t hash = identity_mix(SEED_LINKED, (uint64_t)st->size);
	long fd;

	hash = identity_mix(hash, (uint64_t)st->mode << 32 ^ st->nlink);
	if ((st->mode & S_IFMT) == S_IFREG) {
		fd = open_path(name, flags);
		if (!failed(fd)) {
			hash = hash_sample(hash, fd);
			close_path(name, fd);
		}
	}
	return distinct(self, inode, finish(hash));
}

/* Files with one name. */

/* The path without symbolic links; the kernel knows it. */
static bool canonical(struct name name, uint64_t flags, char path[PATH_MAX])
{
	long fd = open_path(name, flags);

	if (failed(fd))
		return false;
	descriptor_path(fd, path, PATH_MAX);
	close_path(name, fd);
	return path[0] == '/';
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
				      : settle(inode, finish(hash_text(number, part)));
		if (!after)
			break;
		*end = after;
	}
	return number;
}

static __attribute__((noinline)) uint64_t of_directory(struct thread *self, struct name name)
{
	char path[PATH_MAX];

	return canonical(name, name.path ? 0 : AT_EMPTY_PATH, path) ? descend(self, path) : 0;
}

static bool is_dots(const char *part)
{
	return part[0] == '.' && (!part[1] || (part[1] == '.' && !part[2]));
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
	if (!*last || is_dots(last))
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

static __attribute__((noinline)) uint64_t by_name(
	struct thread *self, const struct kernel_stat *st, struct name name, uint64_t flags)
{
	char path[PATH_MAX], *last;
	int dirfd = name.dirfd;
	uint64_t parent;

	if (!is_plain(name, flags, st, path)) {
		if (!canonical(name, flags, path))
			return 0;
		dirfd = AT_FDCWD;
	}
	last = last_part(path);
	parent = *last ? of_parent(self, dirfd, path, last) : 0;
	return parent ? finish(hash_text(parent, last)) : 0;
}

/* All kinds of files. */

/* Which of the streams that the command was started with it is, + 1; or 0. */
static uint32_t outside(const struct kernel_stat *st)
{
	const struct outside *streams = process.arena->config.outside;

	for (uint32_t i = 0; i < 3; i++)
		if (streams[i].device == st->dev && streams[i].inode == st->ino)
			return i + 1;
	return 0;
}

static bool has_names(const struct kernel_stat *st, enum device_class class)
{
	return st->nlink > 1 && class == DEVICE_ORDINARY && (st->mode & S_IFMT) != S_IFDIR;
}

static uint64_t find(struct thread *self, const struct inode *inode, const struct kernel_stat *st,
	struct name name, uint64_t flags)
{
	enum device_class class = stat_class(st->dev);
	uint64_t number;

	if (class == DEVICE_ANONYMOUS)
		return finish(SEED_ANONYMOUS);
	if (outside(st) && class != DEVICE_NODES)
		return finish(identity_mix(SEED_OUTSIDE, outside(st)));
	if (has_names(st, class))
		return by_content(self, inode, st, name, flags);
	number = class < DEVICE_FIRST_MADE || class == DEVICE_ORDINARY
			 ? by_name(self, st, name, flags)
			 : 0;
	return number ? number : number_fresh(self);
}

uint64_t number_of(struct thread *self, struct inode *inode, const struct kernel_stat *st,
	struct name name, uint64_t flags)
{
	uint64_t number = __atomic_load_n(&inode->shown, __ATOMIC_RELAXED);

	return number ? number : settle(inode, find(self, inode, st, name, flags));
}

static uint64_t of_listed(struct thread *self, struct numbered_directory *in)
{
	const struct name itself = { in->fd, 0 };

	if (!in->number)
		in->number = number_of(self, inode_look(self, in->st->dev, in->st->ino), in->st,
			itself, AT_EMPTY_PATH);
	return in->number;
}

uint64_t number_in(struct thread *self, struct numbered_directory *in, struct inode *inode,
	const char *name, bool directory)
{
	const struct name entry = { in->fd, (uint64_t)name };
	struct kernel_stat st;

	if (inode->shown)
		return inode->shown;
	if ((is_dots(name) || !directory) && name_status(entry, AT_SYMLINK_NOFOLLOW, &st) &&
		(is_dots(name) || has_names(&st, stat_class(st.dev))))
		return number_of(self, inode, &st, entry, AT_SYMLINK_NOFOLLOW);
	return settle(inode, finish(hash_text(of_listed(self, in), name)));
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
