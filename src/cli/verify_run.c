#include "cli/verify_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/verify_environment.h"
#include "verify/settle.h"
#include "verify/tree_copy.h"
#include "verify/variations.h"

#define DEFAULT_PLACE "/build"
#define ROOM_LEAST    (1u << 20) /* bytes: below that, a file system counts as full */
#define FILES_LEAST   16	 /* likewise */

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
	options->adjust = verify_environment_use;
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
	if (run->most > 0 && (options->box.timeout <= 0 || options->box.timeout > run->most))
		options->box.timeout = run->most;
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

static void take(struct verify_outcome *outcome, const struct box_result *result, bool may_be_late)
{
	outcome->late = may_be_late && result->timed_out;
	if (result->cut && !outcome->late) {
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
		take(outcome, &result, run->plain);
	outcome->seconds = now() - started;
}

/* Back in the process of verify. */

static void show(void *context)
{
	const struct verify_run *run = context;

	fprintf(stderr, "\rstet: %s: %.1f s\033[K", run->label, now() - run->started);
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

static bool shows(const struct verify_run *run)
{
	return isatty(STDERR_FILENO) && !run->options->run.quiet;
}

static int start(struct verify_run *run, struct error *err)
{
	cleanup_close int output = open_new(run, "stdout", err);
	cleanup_close int errors = output < 0 ? -1 : open_new(run, "stderr", err);
	/* Natively, addresses vary when nobody fixes them. */
	uint32_t inside_only = run->options->native ? VARY_BIT(VARY_ASLR) : 0;

	if (errors < 0)
		return -1;
	run->trial = (struct trial){
		.vary = run->vary & ~inside_only,
		.turn = run->turn,
		.load = run->vary & VARY_BIT(VARY_LOAD),
		.cpus = run->cpus,
		.output = output,
		.errors = errors,
		.act = act,
		.wait = shows(run) ? show : NULL,
		.context = run,
	};
	run->started = now();
	return trial_start(&run->trial, err);
}

/* Whoever could not write there, the cause is the same. */
static bool is_full(const char *place)
{
	struct statvfs room;

	if (statvfs(place, &room))
		return false;
	return room.f_bavail * room.f_frsize < ROOM_LEAST ||
	       (room.f_files && room.f_favail < FILES_LEAST);
}

static const char *advice(const struct verify_run *run)
{
	if (!is_full(run->place))
		return "";
	return run->options->keep ? "; let --keep name a place with more room"
				  : "; set TMPDIR to a place with more room";
}

/* Messages say which run it was. */
static int say_which(const struct verify_run *run, const struct error *why, struct error *err)
{
	return error_set(err, 0, "%s: %s%s", run->label, why->text, advice(run));
}

int verify_run_start(struct verify_run *run, struct error *err)
{
	struct error why;

	*run->outcome = (struct verify_outcome){ .error = { .status = STATUS_TROUBLE } };
	if (mkdir(run->place, 0700))
		return error_set(err, errno, "%s: cannot make %s", run->label, run->place);
	if (make_copies(run, &why) || give_copies(run, &why))
		return say_which(run, &why, err);
	verify_environment_note();
	return start(run, &why) ? say_which(run, &why, err) : 0;
}

int verify_run_end(struct verify_run *run, struct error *err)
{
	struct error why;
	int failed = trial_end(&run->trial, &why);

	if (shows(run))
		fputs("\r\033[K", stderr);
	if (!failed && !run->outcome->ran) {
		why = run->outcome->error;
		failed = -1;
	}
	if (failed || take_copies(run, &why) || write_status(run, &why))
		return say_which(run, &why, err);
	return 0;
}

void verify_run_stop(struct verify_run *run)
{
	trial_stop(&run->trial);
}
