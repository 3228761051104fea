#include "diff/diff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "diff/compare.h"
#include "diff/directory.h"
#include "diff/file_equal.h"
#include "diff/guard.h"

/* What is compared, and what came of it. */
struct job {
	struct diff diff;
	const char *paths[2];
	struct stat status[2];
	struct node *result;
	struct error *err;
};

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static const char *name_of_kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return "a file";
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

static int look(struct job *job, int side)
{
	const char *path = job->paths[side];
	struct stat *status = &job->status[side];

	if (stat(path, status))
		return error_set(job->err, errno, "cannot compare %s", path);
	if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode))
		return error_set(job->err, 0,
			"cannot compare %s: it is %s, and only files and directories can be "
			"compared",
			path, name_of_kind(status->st_mode));
	return 0;
}

static struct node *compare_kinds(const struct job *job)
{
	struct node *node = node_new(last_name(job->paths[0]), "member");

	if (node && node_say(node, LEVEL_DIFFERENT, NULL, "A is %s, B is %s",
			    name_of_kind(job->status[0].st_mode),
			    name_of_kind(job->status[1].st_mode)) == 0)
		return node;
	node_free(node);
	error_set(job->err, ENOMEM, "cannot compare");
	return NULL;
}

static int open_both(const struct job *job, int fds[2])
{
	for (int side = 0; side < 2; side++) {
		fds[side] = open(job->paths[side], O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fds[side] < 0)
			return error_set(job->err, errno, "cannot read %s", job->paths[side]);
	}
	return 0;
}

static struct node *map_and_compare(struct job *job, const int fds[2])
{
	const char *a = last_name(job->paths[0]), *b = last_name(job->paths[1]);
	struct node *node = NULL;
	struct pair pair;

	if (blob_map(&pair.a, fds[0], a, job->err))
		return NULL;
	if (blob_map(&pair.b, fds[1], b, job->err) == 0) {
		node = compare_pair(&job->diff, a, &pair, NULL, NULL, job->err);
		blob_close(&pair.b);
	}
	blob_close(&pair.a);
	return node;
}

/* Files that are the same need not be mapped. */
static struct node *compare_files(struct job *job, const int fds[2])
{
	int equal = 0, unreadable;

	if (job->status[0].st_size == job->status[1].st_size)
		equal = file_equal(&job->diff, fds, (uint64_t)job->status[0].st_size, &unreadable);
	if (equal > 0)
		return node_new(last_name(job->paths[0]), "bytes");
	if (equal == 0)
		return map_and_compare(job, fds);
	if (errno)
		error_set(job->err, errno, "cannot read %s", job->paths[unreadable]);
	else
		error_set(job->err, 0, "%s changed while it was compared", job->paths[unreadable]);
	return NULL;
}

static struct node *compare_directories(struct job *job, const int fds[2])
{
	struct node *node = node_new(".", "directory");

	if (node && directory_compare(&job->diff, node, fds, job->err) == 0)
		return node;
	node_free(node);
	return NULL;
}

static bool are_one(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static struct node *compare_alike(struct job *job)
{
	bool directories = S_ISDIR(job->status[0].st_mode);
	int fds[2] = { -1, -1 };
	struct node *node = NULL;

	error_set(job->err, ENOMEM, "cannot compare %s", job->paths[0]);
	if (are_one(&job->status[0], &job->status[1]))
		return node_new(last_name(job->paths[0]), directories ? "directory" : "bytes");
	if (open_both(job, fds) == 0)
		node = directories ? compare_directories(job, fds) : compare_files(job, fds);
	for (int side = 0; side < 2; side++)
		if (fds[side] >= 0)
			close(fds[side]);
	return node;
}

static void work(void *context)
{
	struct job *job = context;

	if ((job->status[0].st_mode & S_IFMT) != (job->status[1].st_mode & S_IFMT))
		job->result = compare_kinds(job);
	else
		job->result = compare_alike(job);
}

struct node *diff_paths(
	const char *a, const char *b, const struct diff_options *options, struct error *err)
{
	struct job job = { .diff = { .options = options, .budget.left = options->memory },
		.paths = { a, b },
		.err = err };

	if (look(&job, 0) || look(&job, 1))
		return NULL;
	if (!guard_run(work, &job)) {
		error_set(err, 0, "%s changed while it was compared",
			job.diff.path ? job.diff.path : a);
		return NULL;
	}
	if (job.result)
		node_count_self(job.result);
	return job.result;
}

bool diff_is_equal(const struct node *result, enum level wanted)
{
	return result->ignored || result->level <= wanted;
}
