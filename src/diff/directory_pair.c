#include "diff/directory_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/file_equal.h"
#include "diff/xattrs.h"

#define TIME_TEXT 64

const char *entry_type(const struct stat *status)
{
	switch (status->st_mode & S_IFMT) {
	case 0:
		return "unknown";
	case S_IFREG:
		return "file";
	case S_IFDIR:
		return "directory";
	case S_IFLNK:
		return "symbolic link";
	case S_IFIFO:
		return "FIFO";
	case S_IFSOCK:
		return "socket";
	case S_IFCHR:
		return "character device";
	default:
		return "block device";
	}
}

/* The work on one pair; nodes are only made of those that differ. */
struct work {
	struct diff *diff;
	const char *path;
	const struct entry *a, *b;
	struct node *node; /* NULL as long as nothing differs */
};

static struct node *need_node(struct work *work)
{
	if (!work->node)
		work->node = node_new(work->path, entry_type(&work->a->status));
	return work->node;
}

/* Why something cannot be read: an errno, or 0 when it changed meanwhile. */
static int say_failed(struct work *work, int side, int cause)
{
	struct node *node = need_node(work);

	return node ? node_say(node, LEVEL_DIFFERENT, NULL, "cannot be read in %s: %s",
			      side ? "B" : "A",
			      cause ? strerror(cause) : "it changed while it was compared")
		    : -1;
}

static int compare_type(struct work *work)
{
	struct node *node = need_node(work);

	return node ? node_say(node, LEVEL_DIFFERENT, NULL, "type: %s, %s",
			      entry_type(&work->a->status), entry_type(&work->b->status))
		    : -1;
}

/* A umask takes away what others may do; the owner's rights are the programs' own choice. */
static int compare_mode(struct work *work)
{
	mode_t a = work->a->status.st_mode & 07777, b = work->b->status.st_mode & 07777;
	bool by_umask = ((a ^ b) & ~(mode_t)0077) == 0;
	struct node *node;

	if (a == b || S_ISLNK(work->a->status.st_mode))
		return 0;
	node = need_node(work);
	return node ? node_say(node, by_umask ? LEVEL_CONTENT : LEVEL_STRUCTURE,
			      by_umask ? CAUSE_MODE : NULL, "mode: %04o, %04o", a, b)
		    : -1;
}

static int compare_owner(struct work *work)
{
	const struct stat *a = &work->a->status, *b = &work->b->status;
	struct node *node;

	if (a->st_uid == b->st_uid && a->st_gid == b->st_gid)
		return 0;
	node = need_node(work);
	return node ? node_say(node, LEVEL_CONTENT, CAUSE_OWNER, "owner: %u:%u, %u:%u", a->st_uid,
			      a->st_gid, b->st_uid, b->st_gid)
		    : -1;
}

static void show_time(const struct timespec *time, char text[TIME_TEXT])
{
	struct tm parts;

	if (!gmtime_r(&time->tv_sec, &parts) ||
		!strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &parts))
		snprintf(text, TIME_TEXT, "@%lld", (long long)time->tv_sec);
	snprintf(text + strlen(text), TIME_TEXT - strlen(text), ".%09ldZ", time->tv_nsec);
}

static int compare_times(struct work *work)
{
	const struct timespec *a = &work->a->status.st_mtim, *b = &work->b->status.st_mtim;
	char a_text[TIME_TEXT], b_text[TIME_TEXT];
	struct node *node;

	if (!work->diff->options->times || (a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec))
		return 0;
	show_time(a, a_text);
	show_time(b, b_text);
	node = need_node(work);
	return node ? node_say(node, LEVEL_CONTENT, CAUSE_TIME, "time of change: %s, %s", a_text,
			      b_text)
		    : -1;
}

static int compare_hard_links(struct work *work)
{
	const char *a = work->a->first, *b = work->b->first;
	struct node *node;

	if (a == b || (a && b && strcmp(a, b) == 0))
		return 0;
	node = need_node(work);
	return node ? node_say(node, LEVEL_CONTENT, NULL, "hard link to: %s, %s", a ? a : "none",
			      b ? b : "none")
		    : -1;
}

static int compare_device(struct work *work)
{
	dev_t a = work->a->status.st_rdev, b = work->b->status.st_rdev;
	struct node *node;

	if (a == b || !(S_ISCHR(work->a->status.st_mode) || S_ISBLK(work->a->status.st_mode)))
		return 0;
	node = need_node(work);
	return node ? node_say(node, LEVEL_STRUCTURE, NULL, "device: %u:%u, %u:%u", major(a),
			      minor(a), major(b), minor(b))
		    : -1;
}

/* The target; an empty text, with errno, when there is none. */
static void read_target(const struct entry *entry, char target[PATH_MAX + 1])
{
	ssize_t size = readlinkat(entry->directory, entry->name, target, PATH_MAX);

	target[size > 0 ? size : 0] = '\0';
}

static int compare_targets(struct work *work)
{
	char a[PATH_MAX + 1], b[PATH_MAX + 1];
	struct node *node;

	if (!S_ISLNK(work->a->status.st_mode))
		return 0;
	read_target(work->a, a);
	read_target(work->b, b);
	if (strcmp(a, b) == 0)
		return 0;
	node = need_node(work);
	return node ? node_say(node, LEVEL_STRUCTURE, cause_of_text(a, strlen(a), b, strlen(b)),
			      "target: %s, %s", a, b)
		    : -1;
}

static int compare_attributes(struct work *work)
{
	return compare_targets(work) || compare_device(work) || compare_mode(work) ||
			       compare_owner(work) || compare_hard_links(work) ||
			       compare_times(work)
		       ? -1
		       : 0;
}

static int compare_xattrs(struct work *work, const int fds[2])
{
	return xattrs_compare(fds, &work->node, work->path, entry_type(&work->a->status));
}

/* Files that differ are looked into. */
static int look_into(struct work *work, const int fds[2], struct error *err)
{
	struct pair pair;

	if (blob_map(&pair.a, fds[0], work->a->name, err))
		return -1;
	if (blob_map(&pair.b, fds[1], work->b->name, err) == 0) {
		work->node = compare_pair(work->diff, work->path, &pair, NULL, NULL, err);
		blob_close(&pair.b);
	}
	blob_close(&pair.a);
	return work->node ? 0 : -1;
}

/* -1 with errno, which is 0 when it is no file any more. */
static int open_entry(const struct entry *entry, uint64_t *size)
{
	int fd = openat(entry->directory, entry->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		errno = 0;
		return -1;
	}
	*size = (uint64_t)status.st_size;
	return fd;
}

static int compare_opened(
	struct work *work, const int fds[2], const uint64_t sizes[2], struct error *err)
{
	int unreadable, equal = 0;

	if (sizes[0] == sizes[1])
		equal = file_equal(work->diff, fds, sizes[0], &unreadable);
	if (equal < 0)
		return say_failed(work, unreadable, errno);
	if (!equal && look_into(work, fds, err))
		return -1;
	return compare_xattrs(work, fds);
}

/* What cannot be read is told, and the others are compared. */
static int compare_files(struct work *work, struct error *err)
{
	uint64_t sizes[2];
	cleanup_close int a = open_entry(work->a, &sizes[0]);
	int failed = a < 0 ? say_failed(work, 0, errno) : 0;
	cleanup_close int b = open_entry(work->b, &sizes[1]);

	if (b < 0 && !failed)
		failed = say_failed(work, 1, errno);
	if (a < 0 || b < 0)
		return failed;
	return compare_opened(work, (const int[2]){ a, b }, sizes, err);
}

/* Also of what cannot be looked at. */
static int compare_directories(struct work *work)
{
	const int fds[2] = { work->a->fd, work->b->fd };

	if (work->a->failed && say_failed(work, 0, work->a->failed))
		return -1;
	if (work->b->failed && say_failed(work, 1, work->b->failed))
		return -1;
	return fds[0] < 0 || fds[1] < 0 ? 0 : compare_xattrs(work, fds);
}

static int compare(struct work *work, struct error *err)
{
	const struct stat *a = &work->a->status, *b = &work->b->status;

	if (!a->st_mode || !b->st_mode) /* nothing is known of it */
		return compare_directories(work);
	if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT))
		return compare_type(work);
	if (a->st_dev == b->st_dev && a->st_ino == b->st_ino)
		return 0;
	if (S_ISREG(a->st_mode) && compare_files(work, err))
		return -1;
	if (S_ISDIR(a->st_mode) && compare_directories(work))
		return -1;
	return compare_attributes(work);
}

int directory_pair(struct diff *diff, struct node *parent, const char *path,
	const struct entry sides[2], struct error *err)
{
	struct work work = { diff, path, &sides[0], &sides[1], NULL };

	error_set(err, ENOMEM, "cannot compare %s", path);
	if (compare(&work, err)) {
		node_free(work.node);
		return -1;
	}
	if (work.node)
		return node_add(parent, work.node);
	node_count_equal(parent, 1);
	return 0;
}
