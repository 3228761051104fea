#include "cli/verify_work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "cli/execute.h"
#include "cli/progress.h"
#include "diff/diff.h"
#include "image/remove.h"

static char *place_of(const struct verify_work *work, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", work->scratch.path, name) < 0 ? NULL : path;
}

static bool is_own_input(const struct verify_work *work)
{
	const char *input = work->options.run.box.stdin_path;

	return input && strcmp(input, "-") == 0;
}

/* Each run is to read the same. */
static int take_input(struct verify_work *work, struct error *err)
{
	char buffer[65536];
	cleanup_close int fd = -1;
	ssize_t n;

	if (!is_own_input(work))
		return 0;
	work->input = place_of(work, "input");
	if (work->input)
		fd = open(work->input, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, errno, "--stdin");
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		if (write(fd, buffer, (size_t)n) != n)
			return error_set(err, errno, "--stdin: cannot keep what is read");
	if (n < 0)
		return error_set(err, errno, "--stdin: cannot read");
	work->options.run.box.stdin_path = work->input;
	return 0;
}

static int make_scratch(struct verify_work *work, struct error *err)
{
	const char *keep = work->options.keep;

	/* Below --keep, results get to their places by their names alone. */
	if (scratch_make(&work->scratch, keep, err))
		return -1;
	if (stat(work->scratch.path, &work->without[0]) ||
		stat(keep ? keep : work->scratch.path, &work->without[1]))
		return error_set(err, errno, "cannot find %s", work->scratch.path);
	work->run.without = work->without;
	work->run.without_count = 2;
	return 0;
}

static size_t outcome_bytes(const struct verify_work *work)
{
	return (work->options.runs + 1) * sizeof(*work->outcomes);
}

int verify_work_prepare(struct verify_work *work, struct error *err)
{
	void *shared = mmap(NULL, outcome_bytes(work), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return error_set(err, errno, "cannot share memory");
	work->outcomes = shared;
	work->run.options = &work->options;
	work->run.epoch = time(NULL);
	return make_scratch(work, err) || take_input(work, err) ? -1 : 0;
}

void verify_work_release(struct verify_work *work)
{
	if (work->outcomes)
		munmap(work->outcomes, outcome_bytes(work));
	free(work->input);
	scratch_remove(&work->scratch);
	execute_release(&work->options.run);
}

int verify_work_plan(
	const struct verify_work *work, struct verify_run *run, const char *name, struct error *err)
{
	*run = work->run;
	run->outcome = &work->outcomes[work->options.runs];
	run->place = place_of(work, name);
	return run->place ? 0 : error_set(err, ENOMEM, "%s", name);
}

int verify_work_run(struct verify_run *run, struct error *err)
{
	int failed = verify_run_start(run, err) || verify_run_end(run, err);

	free(run->place);
	run->place = NULL;
	return failed ? -1 : 0;
}

/* A wish to stop that comes now has its effect at once: the scratch directory goes by itself. */
struct node *verify_work_compare(
	const struct verify_work *work, const char *name, struct error *err)
{
	const struct diff_options options = {
		.memory = DIFF_MEMORY,
		.depth = DIFF_DEPTH,
		.members = DIFF_MEMBERS,
		.progress = work->options.run.quiet ? NULL : progress_show,
	};
	cleanup_free char *first = place_of(work, "run-1"), *other = place_of(work, name);
	struct node *result;

	if (!first || !other) {
		error_set(err, ENOMEM, "%s", name);
		return NULL;
	}
	stop_heed();
	progress_start("comparing");
	result = diff_paths(first, other, &options, err);
	progress_end();
	stop_watch();
	return result;
}

void verify_work_drop(const struct verify_work *work, const char *name)
{
	cleanup_free char *place = place_of(work, name);

	if (place)
		remove_tree(AT_FDCWD, place);
}

int verify_work_keep(const struct verify_work *work, size_t count, struct error *err)
{
	for (size_t i = 1; work->options.keep && i <= count; i++) {
		cleanup_free char *from = NULL, *to = NULL;

		if (asprintf(&from, "%s/run-%zu", work->scratch.path, i) < 0 ||
			asprintf(&to, "%s/run-%zu", work->options.keep, i) < 0)
			return error_set(err, ENOMEM, "--keep");
		if (rename(from, to))
			return error_set(err, errno, "--keep: cannot make %s", to);
	}
	return 0;
}
