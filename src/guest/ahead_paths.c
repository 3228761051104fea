/* Paths, as far as running ahead has to understand them: what is missing on the way, and what leads
 * back out of a directory that may go. */
#include "guest/ahead.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/text.h"

/* Where the bit of a directory's name is, which ends at a slash or with the text. */
static uint64_t *made_bit(const volatile char *name, uint64_t *bit)
{
	uint32_t hash = 0;

	for (; *name && *name != '/'; name++)
		hash = hash * 31 + (uint8_t)*name;
	hash *= 0x9e3779b1u;
	*bit = 1ull << (hash >> 20 & 63);
	return &process.arena->ahead.made[hash >> 26];
}

void ahead_make(struct thread *self, struct name name)
{
	char last[256];
	uint64_t bit, *word;

	if (!self->ahead.mode || !name_last(name, last, sizeof(last)))
		return;
	word = made_bit(last, &bit);
	__atomic_or_fetch(word, bit, __ATOMIC_SEQ_CST);
}

static __attribute__((noinline)) bool returns(const volatile char *path)
{
	const volatile char *part = path, *before = NULL;
	uint64_t bit;

	for (; *path; path++) {
		if (*path != '/')
			continue;
		if (path > part)
			before = part;
		part = path + 1;
		if (before && part[0] == '.' && part[1] == '.' && (part[2] == '/' || !part[2]) &&
			(*made_bit(before, &bit) & bit))
			return true;
	}
	return false;
}

bool ahead_returns(struct name name)
{
	struct fault_frame frame;
	bool found;

	if (fault_arm(&frame))
		return true;
	found = returns((const char *)name.path);
	fault_disarm();
	return found;
}

/* The last part of the path is what is not there; `directory` is what the rest leads to. */
static void miss_in(struct thread *self, const struct kernel_stat *directory, struct name name,
	const char *last, bool follow)
{
	struct inode *inode = inode_look(self, directory->dev, directory->ino);
	struct kernel_stat st;

	if ((directory->mode & S_IFMT) != S_IFDIR)
		ahead_look(self, inode);
	else if (text_is_dots(last) || (follow && name_status(name, AT_SYMLINK_NOFOLLOW, &st)))
		ahead_uncertain(self); /* a link to nowhere, or it came just now */
	else
		ahead_absent(self, inode, last);
}

/* Where the last part of a path begins, which has `*length` bytes; slashes behind it are cut. */
static long last_part(char *path, long *length)
{
	long start;

	while (*length > 1 && path[*length - 1] == '/')
		--*length;
	path[*length] = 0;
	for (start = *length; start > 0 && path[start - 1] != '/';)
		start--;
	return start;
}

/* What is before the last part: with a slash at its end, a file that is no directory would not be
 * found. */
static void parent_part(char parent[PATH_MAX], const char *path, long start)
{
	long length = start;

	while (length > 1 && path[length - 1] == '/')
		length--;
	memcpy(parent, start ? path : ".", start ? (size_t)length : 1);
	parent[start ? length : 1] = 0;
}

void ahead_miss(struct thread *self, struct name name, bool follow)
{
	char path[PATH_MAX], parent[PATH_MAX];
	const struct name part = { name.dirfd, (uint64_t)path };
	const struct name before = { name.dirfd, (uint64_t)parent };
	long length = string_length(name.path, PATH_MAX - 1), start;
	struct kernel_stat st;

	if (!self->ahead.mode || length <= 0 || copy_in(path, name.path, (size_t)length + 1))
		return;
	for (; (start = last_part(path, &length)) < length; length = start, follow = true) {
		parent_part(parent, path, start);
		if (name_status(before, 0, &st)) {
			miss_in(self, &st, part, path + start, follow);
			return;
		}
		if (!start)
			break;
	}
	ahead_uncertain(self);
}
