#include "cli/verify_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/execute.h"
#include "verify/settle.h"
#include "verify/tree_copy.h"
#include "verify/trial.h"
#include "verify/variations.h"

#define DEFAULT_PLACE "/build"
#define FILLER	      "STET_VERIFY_FILLING"
#define FILLERS	      16   /* more than variations add */
#define FILLING	      1024 /* bytes, likewise */

static char *path_in(const struct verify_run *run, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", run->place, name) < 0 ? NULL : path;
}

/* Each mount that is written to is a copy in `place`: `files` is the current directory. */

static char *copy_path(const struct verify_run *run, size_t mount)
{
	char name[32];

	if ((int)mount == run->own)
		return path_in(run, "files");
	snprintf(name, sizeof(name), "mount-%zu", mount + 1);
	return path_in(run, name);
}

static int make_copies(const struct verify_run *run, struct error *err)
{
	const struct run_options *options = &run->options->run;

	for (size_t i = 0; i < options->mount_count; i++) {
		cleanup_free char *to = copy_path(run, i);
		struct tree_copy copy = {
			.from = options->mounts[i].host,
			.to = to,
			.backwards = run->vary & VARY_BIT(VARY_ORDER),
			.without = run->without,
			.without_count = run->without_count,
		};

		if (!to)
			return error_set(err, ENOMEM, "the copies of files");
		if (options->mounts[i].mode == BOX_MOUNT_RW && tree_copy(&copy, err))
			return -1;
	}
	return 0;
}

static int settle_copies(const struct verify_run *run, const struct settle *how, struct error *err)
{
	const struct run_options *options = &run->options->run;

	for (size_t i = 0; i < options->mount_count; i++) {
		cleanup_free char *path = copy_path(run, i);

		if (!path)
			return error_set(err, ENOMEM, "the copies of files");
		if (options->mounts[i].mode == BOX_MOUNT_RW && settle(path, how, err))
			return -1;
	}
	return 0;
}

/*
 * Where the container has all users, files must belong to the one that it runs as; and root needs no
 * bit to write to them, but others do.
 */
static int give_copies(const struct verify_run *run, struct error *err)
{
	const uint32_t user = VARY_BIT(VARY_USER);
	struct box_config box = { .uid = getuid(), .gid = getgid() };
	struct inside inside = { .box = &box };

	if (!run->options->native || !(run->options->vary & user) || !box_has_all_ids())
		return 0;
	variations_inside(run->vary & user, run->turn, &inside);
	return settle_copies(run,
		&(struct settle){ .give = true, .uid = box.uid, .gid = box.gid, .with = S_IWUSR },
		err);
}

/* So that a difference is one of what the command gave. */
static int take_copies(const struct verify_run *run, struct error *err)
{
	uint32_t vary = run->options->vary;
	struct settle how = {
		.give = (vary & VARY_BIT(VARY_USER)) && box_has_all_ids(),
		.uid = getuid(),
		.gid = getgid(),
		.without = vary & VARY_BIT(VARY_UMASK) ? VARY_UMASK_BITS : 0,
	};

	if (!run->options->native || (!how.give && !how.without))
		return 0;
	return settle_copies(run, &how, err);
}

/* What follows happens in the process of the run. */

static int use_copies(struct verify_run *run, const char *inside, struct error *err)
{
	struct run_options *options = &run->options->run;

	for (size_t i = 0; i < options->mount_count; i++) {
		struct box_mount *mount = &options->mounts[i];

		if (mount->mode != BOX_MOUNT_RW)
			continue;
		mount->host = copy_path(run, i);
		if ((int)i == run->own)
			mount->inside = strdup(inside);
		if (!mount->host || !mount->inside)
			return error_set(err, ENOMEM, "the copies of files");
	}
	return 0;
}

/* A working directory below /build moves with it. */
static int use_place(struct verify_run *run, const char *inside, struct error *err)
{
	struct box_config *box = &run->options->run.box;
	const char *within = box->workdir ? box->workdir : DEFAULT_PLACE;
	size_t length = strlen(DEFAULT_PLACE);
	char *moved;

	if (run->own < 0 || strncmp(within, DEFAULT_PLACE, length) != 0 ||
		(within[length] && within[length] != '/'))
		return 0;
	if (asprintf(&moved, "%s%s", inside, within + length) < 0)
		return error_set(err, ENOMEM, "--workdir");
	box->workdir = moved;
	return 0;
}

/* Stet's own cache stays where it is, whatever HOME is. */
static bool cache_pinned;

static void pin_cache(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;

	if ((base && *base) || !home || asprintf(&path, "%s/.cache", home) < 0)
		return;
	setenv("XDG_CACHE_HOME", path, 1);
	cache_pinned = true;
	free(path);
}

/* Variables that are Stet's own, or name places which the container does not have. */
static void clear_environment(void)
{
	static const char *const names[] = { "PWD", "OLDPWD", "TMPDIR", "STET_DEBUG_DELAYS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	if (cache_pinned)
		unsetenv("XDG_CACHE_HOME");
}

struct size {
	size_t count, bytes;
};
static struct size caller; /* as it was before any variation */

static struct size environment_size(void)
{
	struct size size = { 0 };

	for (char **variable = environ; *variable; variable++) {
		size.bytes += strlen(*variable) + 1;
		size.count++;
	}
	return size;
}

/* Its size decides where stacks begin, which is VARY_ASLR's business: it is always the same. */
static void fill_environment(const struct size *first)
{
	struct size size = environment_size();
	char name[sizeof(FILLER) + 8], text[FILLING] = "";

	for (; size.count + 1 < first->count + FILLERS; size.count++) {
		snprintf(name, sizeof(name), FILLER "%02zu", first->count + FILLERS - size.count);
		setenv(name, "", 1);
	}
	size = environment_size();
	if (size.bytes < first->bytes + sizeof(text))
		memset(text, '.', first->bytes + sizeof(text) - 1 - size.bytes);
	setenv(FILLER, text, 1);
}

/* The caller's environment, as it is now. */
static int use_environment(struct run_options *options, struct error *err)
{
	clear_environment();
	fill_environment(&caller);
	environment_release(options->box.environment);
	options->box.environment = environment_make(options->box.uid, true,
		options->files.config.environment, options->assignments, options->assignment_count);
	return options->box.environment ? 0 : error_set(err, ENOMEM, "the environment");
}

/* As the command would find it without a container; all that can vary has one value, though. */
static void be_native(struct verify_run *run)
{
	struct run_options *options = &run->options->run;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!options->has_user) {
		options->box.uid = getuid();
		options->box.gid = getgid();
		options->has_user = true;
	}
	if (!options->has_epoch)
		options->box.machine.epoch = run->epoch;
	if (options->box.machine.cpus == 1 && cpus > 1 && cpus < MACHINE_CPUS_MAX / 2)
		options->box.machine.cpus = (uint32_t)cpus;
	options->adjust = use_environment;
}

static int set_up(struct verify_run *run, struct error *err)
{
	struct run_options *options = &run->options->run;
	struct inside inside = { &options->box, DEFAULT_PLACE };

	options->box.relax = options->relax;
	if (run->options->native) {
		be_native(run);
		variations_inside(run->vary, run->turn, &inside);
	}
	options->relax = run->plain ? RELAX_ALL & ~(uint32_t)RELAX_ENV : options->box.relax;
	if (use_copies(run, inside.place, err) || use_place(run, inside.place, err))
		return -1;
	options->quiet = true;
	options->box.digest = !run->options->native && !run->plain;
	if (!run->options->native && !run->plain)
		options->box.save = path_in(run, "changed");
	return 0;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void take(struct verify_outcome *outcome, const struct box_result *result)
{
	if (result->cut) {
		error_set(&outcome->error, 0, "%s", result->cut);
		return;
	}
	outcome->ran = true;
	outcome->status = result->status;
	snprintf(outcome->digest, sizeof(outcome->digest), "%s", result->digest);
	if (!result->digest[0] && result->no_digest)
		snprintf(outcome->no_digest, sizeof(outcome->no_digest), "%s", result->no_digest);
}

static void act(void *context)
{
	struct verify_run *run = context;
	struct verify_outcome *outcome = run->outcome;
	struct box_result result = { 0 };
	double started;

	if (set_up(run, &outcome->error))
		return;
	started = now();
	if (execute(&run->options->run, &result, &outcome->error) == 0)
		take(outcome, &result);
	outcome->seconds = now() - started;
}

/* Back in the process of verify. */

static void show(void *context)
{
	const struct verify_run *run = context;
	static double started;
	static const char *label;

	if (label != run->label) {
		label = run->label;
		started = now();
	}
	fprintf(stderr, "\rstet: %s: %.1f s\033[K", run->label, now() - started);
}

static int open_new(const struct verify_run *run, const char *name, struct error *err)
{
	cleanup_free char *path = path_in(run, name);
	int fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644) : -1;

	return fd < 0 ? error_set(err, errno, "cannot write %s/%s", run->place, name) : fd;
}

static int write_status(const struct verify_run *run, struct error *err)
{
	cleanup_close int fd = open_new(run, "status", err);

	if (fd < 0)
		return -1;
	return dprintf(fd, "%d\n", run->outcome->status) < 0
		       ? error_set(err, errno, "cannot write %s/status", run->place)
		       : 0;
}

static int start(struct verify_run *run, struct error *err)
{
	cleanup_close int output = open_new(run, "stdout", err);
	cleanup_close int errors = output < 0 ? -1 : open_new(run, "stderr", err);
	bool shows = isatty(STDERR_FILENO) && !run->options->run.quiet;
	/* Natively, addresses vary when nobody fixes them. */
	uint32_t inside_only = run->options->native ? VARY_BIT(VARY_ASLR) : 0;
	struct trial trial = {
		.vary = run->vary & ~inside_only,
		.turn = run->turn,
		.load = run->vary & VARY_BIT(VARY_LOAD),
		.output = output,
		.errors = errors,
		.act = act,
		.wait = shows ? show : NULL,
		.context = run,
	};
	int failed;

	if (errors < 0)
		return -1;
	failed = trial_run(&trial, err);
	if (shows)
		fputs("\r\033[K", stderr);
	return failed;
}

int verify_run(struct verify_run *run, struct error *err)
{
	*run->outcome = (struct verify_outcome){ .error = { .status = STATUS_TROUBLE } };
	if (mkdir(run->place, 0700))
		return error_set(err, errno, "cannot make %s", run->place);
	if (make_copies(run, err) || give_copies(run, err))
		return -1;
	pin_cache();
	caller = environment_size();
	if (start(run, err))
		return -1;
	if (!run->outcome->ran) {
		*err = run->outcome->error;
		err->status = STATUS_TROUBLE;
		return -1;
	}
	return take_copies(run, err) || write_status(run, err) ? -1 : 0;
}
