/* What is below a directory, as far as running ahead has to know: has anybody been there who is
 * ahead? Who came through the directory found something below it, and said so; unless a link led
 * him out again. */
#include "guest/ahead.h"
#include "guest/listing.h"
#include "guest/sys.h"
#include "guest/text.h"

#define DEPTH	8u    /* the guest's stack is small */
#define ENTRIES 4096u /* more would take too long */
#define BUFFER	512   /* has room for the longest name */

struct walk {
	struct thread *self;
	uint32_t depth, entries;
};

static bool is_met_below(struct walk *walk, struct name top);

/* Answers true for what is not understood, too. */
static bool is_met(struct walk *walk, struct name name)
{
	struct kernel_stat st;
	const struct inode *inode;
	uint32_t type;

	if (++walk->entries > ENTRIES || !name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return true;
	type = st.mode & S_IFMT;
	inode = inode_known(&st);
	if ((inode && ahead_is_met(walk->self, inode)) || type == S_IFLNK)
		return true;
	return type == S_IFDIR && is_met_below(walk, name);
}

static bool is_met_in(struct walk *walk, int fd)
{
	_Alignas(struct listed) char buffer[BUFFER];
	long bytes;

	while ((bytes = sys(__NR_getdents64, fd, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < bytes;) {
			const struct listed *entry = (const struct listed *)(buffer + at);

			if (!text_is_dots(entry->name) &&
				is_met(walk, (struct name){ fd, (uint64_t)entry->name }))
				return true;
			at += entry->length;
		}
	return bytes < 0;
}

static bool is_met_below(struct walk *walk, struct name top)
{
	long fd = walk->depth == DEPTH ? -EMFILE
				       : sys(__NR_openat, top.dirfd, top.path,
						 O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool met;

	if (failed(fd))
		return true;
	walk->depth++;
	met = is_met_in(walk, (int)fd);
	walk->depth--;
	sys(__NR_close, fd);
	return met;
}

bool ahead_below(struct thread *self, struct name top)
{
	struct walk walk = { .self = self };

	return is_met(&walk, top);
}
