#include "cli/execute.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/image.h"
#include "cli/image_config.h"
#include "cli/results.h"
#include "cli/values.h"

#define DEFAULT_PLACE "/build"

static void note(const char *line)
{
	say("%s", line);
}

void execute_defaults(struct run_options *options)
{
	*options = (struct run_options){
		.box = { .hostname = "stet", .note = note },
		.files = { .lock = -1 },
		.image_limit = IMAGE_LIMIT_DEFAULT,
	};
}

/* The current directory is at /build unless a mount takes that place. */
static int add_default_mount(struct run_options *options, struct error *err)
{
	struct box_mount *mounts;
	char *here = NULL, *inside = NULL;

	for (size_t i = 0; i < options->mount_count; i++)
		if (strcmp(options->mounts[i].inside, DEFAULT_PLACE) == 0)
			return 0;
	mounts = reallocarray(options->mounts, options->mount_count + 1, sizeof(*mounts));
	if (!mounts)
		return error_set(err, ENOMEM, "--mount");
	options->mounts = mounts;
	here = getcwd(NULL, 0);
	inside = strdup(DEFAULT_PLACE);
	if (!here || !inside) {
		error_set(err, errno, "cannot find the current directory");
		free(here);
		free(inside);
		return -1;
	}
	/* First, so that others can lie below it. */
	memmove(mounts + 1, mounts, options->mount_count * sizeof(*mounts));
	mounts[0] = (struct box_mount){ here, inside, BOX_MOUNT_RW };
	options->mount_count++;
	return 0;
}

/* For tests of the restart, see doc/debugging.md. */
static uint32_t conflict_wanted(void)
{
	const char *value = getenv("STET_CONFLICT_AT");

	return value ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

/* A switch for tests of the guest, which no outcome may depend on: see doc/debugging.md. */
static int take_delays(uint64_t *seed, struct error *err)
{
	const char *value = getenv("STET_DEBUG_DELAYS");

	return value ? value_number("STET_DEBUG_DELAYS", value, 1, UINT64_MAX, seed, err) : 0;
}

/* For who looks for what a log in strict order cannot show: see doc/debugging.md. */
static bool wants_log_ahead(void)
{
	return getenv("STET_DEBUG_LOG_AHEAD") != NULL;
}

static int open_image(struct run_options *options, struct error *err)
{
	struct error cause;

	if (image_prepare(
		    options->image, options->image_limit, options->quiet, &options->files, &cause))
		return error_set(err, 0, "--image %s", cause.text);
	if (image_config_use(options, err) || run_options_need_command(options, err))
		return -1;
	options->box.image = options->files.root;
	return image_owners_find(&options->owners, &options->files, &options->box, err);
}

static int prepare(struct run_options *options, struct error *err)
{
	struct box_config *box = &options->box;

	if (take_delays(&box->delays, err))
		return -1;
	if (fetches_get(&options->fetches, options->quiet, err))
		return -1;
	if (options->image && open_image(options, err))
		return -1;
	box->files = options->fetches.files;
	box->file_count = options->fetches.count;
	if (!box->workdir)
		box->workdir = DEFAULT_PLACE;
	if ((box->image || options->bare) && strcmp(box->workdir, DEFAULT_PLACE) == 0)
		box->make_workdir = true;
	if (!box->image && !options->bare && add_default_mount(options, err))
		return -1;
	box->mounts = options->mounts;
	box->mount_count = options->mount_count;
	box->relax = options->relax;
	if (options->environment)
		box->environment = options->environment;
	else
		box->environment = environment_make(box->uid, box->relax & RELAX_ENV,
			options->files.config.environment, options->assignments,
			options->assignment_count);
	if (!box->environment)
		return error_set(err, ENOMEM, "cannot make the environment");
	box->conflict_at = conflict_wanted();
	box->logs_ahead = wants_log_ahead();
	box->cache = cache_directory("code");
	if (!box->cache && box->verbose)
		say("no code cache: neither XDG_CACHE_HOME nor HOME names a place to write to");
	return 0;
}

static void drop_listing(struct box_result *result)
{
	free(result->listing);
	result->listing = NULL;
}

static int run(struct results *results, struct run_options *options, struct box_result *result,
	struct error *err)
{
	if (prepare(options, err) == 0 &&
		(!options->adjust || options->adjust(options, err) == 0) &&
		results_prepare(results, options, err) == 0 &&
		box_run(&options->box, result, err) == 0)
		return results_write(results, options, result, err);
	results_write_failure(results, err);
	return -1;
}

int execute(struct run_options *options, struct box_result *result, struct error *err)
{
	struct results results;
	int failed;

	if (options->quiet)
		options->box.note = NULL;
	failed = results_open(&results, options, err) || run(&results, options, result, err);
	results_release(&results);
	options->box.own_files = NULL;
	if (failed || !options->keep_listing)
		drop_listing(result);
	return failed ? -1 : 0;
}

void execute_report(const struct run_options *options, const struct box_result *result)
{
	if (result->timed_out && !options->quiet)
		say("the command was ended after %g s (--timeout)", options->box.timeout);
	if (result->refusals[0] && (options->box.verbose || (result->status && !options->quiet)))
		say("%s", result->refusals);
	if (options->box.save && result->cut && !options->quiet)
		say("nothing is saved: %s", result->cut);
	if (options->digest && result->digest[0])
		say("digest sha256:%s", result->digest);
	else if (options->digest)
		say("no digest: %s", result->no_digest);
}

void execute_release(struct run_options *options)
{
	if (options->environment != options->box.environment)
		environment_release(options->environment);
	environment_release(options->box.environment);
	free((char *)options->box.cache);
	image_owners_release(&options->owners);
	image_close(&options->files);
	run_options_release(options);
}
