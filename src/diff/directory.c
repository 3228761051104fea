#include "diff/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "diff/directory_pair.h"
#include "diff/hard_links.h"
#include "diff/listing.h"
#include "diff/printable.h"

#define LEVELS_OPEN 200 /* of directories; two descriptors each */
#define NAMES_SHOWN 200 /* of what is below a directory that only one side has */
#define NAMES_BYTES 65536

/* A directory on the way, of both sides or of one. */
struct frame {
	struct listing lists[2];
	size_t at[2];	  /* the next name */
	dev_t devices[2]; /* of the directory: whether one comes back to the same */
	ino_t inodes[2];
	size_t path;	/* bytes of the path to it */
	bool open[2];	/* the sides that have it */
	int parents[2]; /* descriptors of the directory above, or -1 */
};

struct walk {
	struct diff *diff;
	struct node *node;
	int fds[2];
	struct frame *frames;
	size_t depth, room;
	char *path; /* to what is looked at, below the roots */
	size_t path_room;
	struct hard_links links[2];
	/* A directory that only one side has, and what is below it: one object for the report. */
	struct node *lonely;
	size_t lonely_depth;
	FILE *names;
	char *names_text;
	size_t names_bytes;
	uint64_t below;
};

static int say_no_memory(struct error *err)
{
	return error_set(err, ENOMEM, "cannot compare directories");
}

/* The path becomes that of an entry of the directory one is in. */
static int path_set(struct walk *walk, const char *name)
{
	size_t before = walk->frames[walk->depth - 1].path, size = strlen(name);

	if (!walk->path || before + size + 2 > walk->path_room) {
		size_t room = 2 * (before + size + 2);
		char *path = realloc(walk->path, room);

		if (!path)
			return -1;
		walk->path = path;
		walk->path_room = room;
	}
	if (before)
		walk->path[before++] = '/';
	memcpy(walk->path + before, name, size + 1);
	return 0;
}

static struct frame *push(struct walk *walk)
{
	if (walk->depth == walk->room) {
		size_t room = walk->room ? 2 * walk->room : 16;
		struct frame *frames = reallocarray(walk->frames, room, sizeof(*frames));

		if (!frames)
			return NULL;
		walk->frames = frames;
		walk->room = room;
	}
	walk->frames[walk->depth] = (struct frame){ .path = walk->path ? strlen(walk->path) : 0,
		.parents = { -1, -1 } };
	return &walk->frames[walk->depth++];
}

static int enter_side(struct walk *walk, struct frame *frame, int side, int fd, struct error *err)
{
	uint64_t most = walk->diff->options->members;
	const char *path = walk->path ? walk->path : ".", *where = side ? "B" : "A";
	struct stat status;

	/* Trees may be deeper than descriptors are many. */
	if (walk->depth <= LEVELS_OPEN)
		frame->parents[side] = walk->fds[side];
	else
		close(walk->fds[side]);
	walk->fds[side] = fd;
	if (fstat(fd, &status) || listing_read(&frame->lists[side], fd, most)) {
		if (errno == E2BIG)
			return error_set(err, 0,
				"the directory %s in %s has more than %llu entries", path, where,
				(unsigned long long)most);
		return error_set(err, errno, "cannot list the directory %s in %s", path, where);
	}
	frame->open[side] = true;
	frame->devices[side] = status.st_dev;
	frame->inodes[side] = status.st_ino;
	return 0;
}

/* Goes into directories that are open; a descriptor of -1 is a side that stays where it is. */
static int go_down(struct walk *walk, const int fds[2], struct error *err)
{
	struct frame *frame = push(walk);
	int failed = frame ? 0 : say_no_memory(err);

	for (int side = 0; side < 2; side++) {
		if (fds[side] < 0)
			continue;
		if (failed)
			close(fds[side]);
		else
			failed = enter_side(walk, frame, side, fds[side], err);
	}
	return failed;
}

/* By "..", where it was not kept open. */
static int open_parent(struct walk *walk, const struct frame *to, int side, struct error *err)
{
	int fd = openat(walk->fds[side], "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		error_set(err, errno, "cannot go back from the directory %s", walk->path);
	else if (status.st_dev != to->devices[side] || status.st_ino != to->inodes[side])
		error_set(err, 0, "the directory %s was moved while it was compared", walk->path);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int go_up_side(struct walk *walk, struct frame *from, int side, struct error *err)
{
	int fd = from->parents[side];

	if (fd < 0)
		fd = open_parent(walk, from - 1, side, err);
	if (fd < 0)
		return -1;
	close(walk->fds[side]);
	walk->fds[side] = fd;
	from->parents[side] = -1;
	return 0;
}

static int say_below(struct walk *walk, struct node *node)
{
	struct finding *finding = &node->findings[0];
	char *what;

	if (fclose(walk->names))
		return -1;
	walk->names = NULL;
	if (!walk->below)
		return 0;
	if (asprintf(&what, "%s, with %llu entries below", finding->what,
		    (unsigned long long)walk->below) < 0)
		return -1;
	free(finding->what);
	finding->what = what;
	node_show(node, walk->names_text);
	walk->names_text = NULL;
	node->objects[LEVEL_DIFFERENT] += walk->below;
	return 0;
}

static int finish_lonely(struct walk *walk)
{
	struct node *node = walk->lonely;

	walk->lonely = NULL;
	if (say_below(walk, node) == 0)
		return node_add(walk->node, node);
	node_free(node);
	return -1;
}

static void frame_release(struct frame *frame)
{
	for (int side = 0; side < 2; side++) {
		listing_release(&frame->lists[side]);
		if (frame->parents[side] >= 0)
			close(frame->parents[side]);
	}
}

static int go_up(struct walk *walk, struct error *err)
{
	struct frame *frame = &walk->frames[walk->depth - 1];
	int failed = 0;

	if (walk->depth > 1) {
		walk->path[frame->path] = '\0';
		for (int side = 0; side < 2 && !failed; side++)
			if (frame->open[side])
				failed = go_up_side(walk, frame, side, err);
	}
	frame_release(frame);
	walk->depth--;
	if (!failed && walk->lonely && walk->depth == walk->lonely_depth && finish_lonely(walk))
		failed = say_no_memory(err);
	return failed;
}

static int open_directory(const struct entry *entry)
{
	return openat(
		entry->directory, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* What cannot be looked at is told of the entry. */
static int meet(struct walk *walk, struct entry *entry, int side, const char *name)
{
	*entry = (struct entry){ .directory = walk->fds[side], .name = name, .fd = -1 };
	if (fstatat(entry->directory, name, &entry->status, AT_SYMLINK_NOFOLLOW) == 0)
		return hard_links_meet(
			&walk->links[side], &entry->status, walk->path, &entry->first);
	entry->failed = errno;
	entry->status = (struct stat){ 0 };
	return 0;
}

/* Something that only one side has. */
static int say_lonely(struct walk *walk, const struct entry *entry, int side, struct node **made)
{
	*made = node_new(walk->path, entry_type(&entry->status));
	if (*made && node_say(*made, LEVEL_DIFFERENT, NULL, "only in %s", side ? "B" : "A") == 0)
		return 0;
	node_free(*made);
	return -1;
}

static int start_lonely(struct walk *walk, const struct entry *entry, int side, struct node *node,
	struct error *err)
{
	int fds[2] = { -1, -1 };

	fds[side] = open_directory(entry);
	if (fds[side] < 0)
		return node_say(node, LEVEL_DIFFERENT, NULL, "cannot be read in %s: %s",
			       side ? "B" : "A", strerror(errno)) ||
				       node_add(walk->node, node)
			       ? say_no_memory(err)
			       : 0;
	walk->lonely = node;
	walk->lonely_depth = walk->depth;
	walk->below = 0;
	free(walk->names_text);
	walk->names_text = NULL;
	walk->names = open_memstream(&walk->names_text, &walk->names_bytes);
	return walk->names ? go_down(walk, fds, err) : say_no_memory(err);
}

/* Below a directory that only one side has names are listed, and not looked into. */
static int list_lonely(struct walk *walk, const struct entry *entry, int side, struct error *err)
{
	int fds[2] = { -1, -1 };

	walk->below++;
	if (walk->below <= NAMES_SHOWN && ftell(walk->names) < NAMES_BYTES) {
		fputc(side ? '+' : '-', walk->names);
		printable_put(walk->names, walk->path, strlen(walk->path));
		fputc('\n', walk->names);
	}
	if (!S_ISDIR(entry->status.st_mode))
		return 0;
	fds[side] = open_directory(entry);
	return fds[side] < 0 ? 0 : go_down(walk, fds, err);
}

static int visit_one(struct walk *walk, const char *name, int side, struct error *err)
{
	struct entry entry;
	struct node *node;

	if (meet(walk, &entry, side, name))
		return say_no_memory(err);
	if (walk->lonely)
		return list_lonely(walk, &entry, side, err);
	if (say_lonely(walk, &entry, side, &node))
		return say_no_memory(err);
	if (S_ISDIR(entry.status.st_mode))
		return start_lonely(walk, &entry, side, node, err);
	return node_add(walk->node, node) ? say_no_memory(err) : 0;
}

static int open_both(struct entry sides[2])
{
	for (int side = 0; side < 2; side++) {
		sides[side].fd = open_directory(&sides[side]);
		sides[side].failed = sides[side].fd < 0 ? errno : 0;
	}
	return sides[0].failed || sides[1].failed ? -1 : 0;
}

static int visit_directories(struct walk *walk, struct entry sides[2], struct error *err)
{
	bool same = sides[0].status.st_dev == sides[1].status.st_dev &&
		    sides[0].status.st_ino == sides[1].status.st_ino;
	int readable = open_both(sides) == 0;
	int failed = directory_pair(walk->diff, walk->node, walk->path, sides, err);

	if (!failed && readable && !same)
		return go_down(walk, (int[2]){ sides[0].fd, sides[1].fd }, err);
	for (int side = 0; side < 2; side++)
		if (sides[side].fd >= 0)
			close(sides[side].fd);
	return failed;
}

static int visit_both(struct walk *walk, const char *name, struct error *err)
{
	struct entry sides[2];

	for (int side = 0; side < 2; side++)
		if (meet(walk, &sides[side], side, name))
			return error_set(
				err, errno, "cannot read %s in %s", walk->path, side ? "B" : "A");
	if (S_ISDIR(sides[0].status.st_mode) && S_ISDIR(sides[1].status.st_mode))
		return visit_directories(walk, sides, err);
	return directory_pair(walk->diff, walk->node, walk->path, sides, err);
}

/* Which sides have the next name: bits 1 and 2; 0 at the end. */
static unsigned next_name(struct frame *frame, const char **name)
{
	const char *a =
		frame->at[0] < frame->lists[0].count ? frame->lists[0].names[frame->at[0]] : NULL;
	const char *b =
		frame->at[1] < frame->lists[1].count ? frame->lists[1].names[frame->at[1]] : NULL;
	int order = !a ? 1 : !b ? -1 : strcmp(a, b);

	if (!a && !b)
		return 0;
	*name = order <= 0 ? a : b;
	frame->at[0] += order <= 0;
	frame->at[1] += order >= 0;
	return (order <= 0 ? 1 : 0) | (order >= 0 ? 2 : 0);
}

static int step(struct walk *walk, struct error *err)
{
	const char *name;
	unsigned sides = next_name(&walk->frames[walk->depth - 1], &name);

	if (!sides)
		return go_up(walk, err);
	if (path_set(walk, name))
		return say_no_memory(err);
	if (compare_ignores(walk->diff, walk->path)) {
		walk->node->ignored_objects++;
		return 0;
	}
	return sides == 3 ? visit_both(walk, name, err) : visit_one(walk, name, sides - 1, err);
}

static void walk_release(struct walk *walk)
{
	while (walk->depth)
		frame_release(&walk->frames[--walk->depth]);
	for (int side = 0; side < 2; side++) {
		if (walk->fds[side] >= 0)
			close(walk->fds[side]);
		hard_links_release(&walk->links[side]);
	}
	node_free(walk->lonely);
	if (walk->names)
		fclose(walk->names);
	free(walk->names_text);
	free(walk->frames);
	free(walk->path);
}

int directory_compare(struct diff *diff, struct node *node, const int fds[2], struct error *err)
{
	struct walk walk = { .diff = diff, .node = node, .fds = { -1, -1 } };
	int own[2] = { fcntl(fds[0], F_DUPFD_CLOEXEC, 0), fcntl(fds[1], F_DUPFD_CLOEXEC, 0) };
	int failed = own[0] < 0 || own[1] < 0 ? error_set(err, errno, "cannot compare directories")
					      : go_down(&walk, own, err);

	while (!failed && walk.depth)
		failed = step(&walk, err);
	walk_release(&walk);
	return failed;
}
