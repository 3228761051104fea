#include "box/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/stage.h"

static void let_go(int *fd)
{
	cleanup_close_do(fd);
	*fd = -1;
}

static int open_pipe(int *reading, int *writing, struct error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, errno, "cannot make a pipe");
	*reading = ends[0];
	*writing = ends[1];
	return 0;
}

static int open_source(const struct box_config *config, struct error *err)
{
	const char *name = config->stdin_path;
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC)
				   : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);

	return fd >= 0 ? fd : error_set(err, errno, "--stdin: cannot read %s", name);
}

static int open_input(struct streams *streams, const struct box_config *config, struct error *err)
{
	struct stat status;
	bool own;

	if (!config->stdin_path)
		return 0;
	own = strcmp(config->stdin_path, "-") == 0;
	if (own && config->tty)
		return 0; /* the terminal forwards it */
	streams->input = open_source(config, err);
	if (streams->input < 0)
		return -1;
	if (fstat(streams->input, &status) == 0 && S_ISDIR(status.st_mode))
		return error_set(err, EISDIR, "--stdin: cannot read %s", config->stdin_path);
	if (config->relax & RELAX_ENV)
		return 0;
	if (!own && S_ISREG(status.st_mode)) {
		streams->file = realpath(config->stdin_path, NULL);
		return 0;
	}
	streams->source = streams->input;
	streams->fed = true;
	return open_pipe(&streams->input, &streams->feed, err);
}

/* Does it matter in which order bytes get there? */
static bool same_place(void)
{
	struct stat output, errors;

	if (fstat(STDOUT_FILENO, &output) || fstat(STDERR_FILENO, &errors))
		return false;
	if (S_ISCHR(output.st_mode) && output.st_rdev == makedev(1, 3))
		return false; /* /dev/null */
	return output.st_dev == errors.st_dev && output.st_ino == errors.st_ino;
}

int streams_open(struct streams *streams, const struct box_config *config, struct error *err)
{
	if (open_input(streams, config, err))
		return -1;
	if (config->tty || ((config->relax & RELAX_ENV) && !config->digest))
		return 0;
	streams->ordered = same_place();
	if (open_pipe(&streams->taken[0], &streams->output[0], err) ||
		open_pipe(&streams->taken[1], &streams->output[1], err))
		return -1;
	return 0;
}

void streams_describe(const struct streams *streams, struct output *output)
{
	struct stat status;

	for (int i = 0; i < 2 && streams->output[i] >= 0; i++) {
		if (fstat(streams->output[i], &status))
			return;
		output->device[i] = status.st_dev;
		output->inode[i] = status.st_ino;
	}
	output->ordered = streams->ordered;
}

/* A mount of the file alone, attached nowhere: what lies there has the name "/". */
int streams_reopen(struct streams *streams, struct error *err)
{
	char path[STAGE_PATH];
	cleanup_close int tree = -1;
	int fd;

	if (!streams->file)
		return 0;
	snprintf(path, sizeof(path), STAGE_HOST "%s", streams->file);
	tree = attach_clone(AT_FDCWD, path, true, err);
	if (tree < 0)
		return -1;
	snprintf(path, sizeof(path), STAGE_HOST "/proc/self/fd/%d", tree);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "--stdin: cannot read %s", streams->file);
	let_go(&streams->input);
	streams->input = fd;
	return 0;
}

void streams_keep_commands(struct streams *streams)
{
	let_go(&streams->source);
	let_go(&streams->feed);
	let_go(&streams->taken[0]);
	let_go(&streams->taken[1]);
}

void streams_keep_own(struct streams *streams)
{
	let_go(&streams->input);
	let_go(&streams->output[0]);
	let_go(&streams->output[1]);
}

void streams_close(struct streams *streams)
{
	streams_keep_commands(streams);
	streams_keep_own(streams);
	free(streams->file);
	streams->file = NULL;
}
