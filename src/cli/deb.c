#include "cli/deb.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json_text.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/deb_packages.h"
#include "cli/execute.h"
#include "cli/image.h"
#include "deb/compare.h"

#define SOURCE_NAME  "package.dsc"
#define FIRST	     "first"
#define SECOND	     "second"
#define CLEAR	     "\r\033[K"
#define DEFAULT_JOBS 4 /* it is seen in the .buildinfo, so it is the same on every machine */

char *deb_place(const struct deb *deb, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", deb->scratch.path, name) < 0 ? NULL : path;
}

static bool shows_progress(const struct deb *deb)
{
	return !deb->options.run.quiet && !deb->options.run.box.verbose && isatty(STDERR_FILENO);
}

void deb_tell(const struct deb *deb, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (deb->options.run.box.verbose)
		say("%s", line);
	else if (shows_progress(deb))
		fprintf(stderr, CLEAR "%s", line);
}

static int make_names(struct deb *deb, struct error *err)
{
	const char *version = dsc_file_version(&deb->dsc), *source = deb->dsc.source;

	if (asprintf(&deb->tree, "%s-%s", source, version) < 0 ||
		asprintf(&deb->log, "%s_%s_amd64.build", source, version) < 0 ||
		asprintf(&deb->statement, "%s_%s_amd64.intoto.json", source, version) < 0)
		return error_set(err, ENOMEM, "cannot build %s", source);
	deb->source = deb_place(deb, "source");
	return deb->source ? 0 : error_set(err, ENOMEM, "cannot build %s", source);
}

/* Before hours of building. */
static int check_output(const char *option, const char *directory, struct error *err)
{
	if (mkdir(directory, 0755) && errno != EEXIST)
		return error_set(err, errno, "%s: cannot make %s", option, directory);
	if (access(directory, W_OK | X_OK))
		return error_set(err, errno, "%s: cannot write to %s", option, directory);
	return 0;
}

/* Each run opens it again; here it is named, and kept. */
static int open_image(struct run_options *run, struct error *err)
{
	struct error cause;

	if (image_prepare(run->image, run->image_limit, run->quiet, &run->files, &cause) ||
		image_digest(&run->files, &cause))
		return error_set(err, 0, "--image %s", cause.text);
	return 0;
}

static int prepare(struct deb *deb, struct error *err)
{
	cleanup_free char *cache = NULL;

	if (dsc_read(deb->options.file, &deb->dsc, err) ||
		check_output("--output", deb->options.output, err) ||
		(deb->options.keep && check_output("--keep", deb->options.keep, err)))
		return -1;
	cache = cache_directory("deb");
	if (scratch_make(&deb->scratch, cache, err) || make_names(deb, err))
		return -1;
	if (mkdir(deb->source, 0755))
		return error_set(err, errno, "cannot make %s", deb->source);
	if (dsc_copy(&deb->dsc, deb->source, SOURCE_NAME, err))
		return -1;
	return deb->options.run.image ? open_image(&deb->options.run, err) : 0;
}

/* The log of an installation that failed is kept. */
static int install_packages(struct deb *deb, struct error *err)
{
	cleanup_free char *dsc = NULL, *log = NULL;
	struct deb_packages packages = { .options = &deb->options, .scratch = deb->scratch.path };
	int failed;

	if (asprintf(&dsc, "%s/" SOURCE_NAME, deb->source) < 0 ||
		asprintf(&log, "%s/%s.packages.log", deb->options.output, deb->tree) < 0)
		return error_set(err, ENOMEM, "cannot build %s", deb->tree);
	packages.dsc = dsc;
	packages.log = log;
	deb_tell(deb, "looking for build dependencies of %s", deb->tree);
	failed = deb_packages_layer(&packages, &deb->plan, &deb->layer, err);
	if (!failed || err->status != STATUS_TROUBLE) /* a signal */
		unlink(log);
	return failed;
}

/* A build that failed: the log is all that it leaves. */
static int fail(struct deb *deb, const char *name, int status, struct error *err)
{
	cleanup_free char *directory = deb_place(deb, name), *log = NULL;

	if (!directory || asprintf(&log, "%s/%s", directory, deb->log) < 0)
		return error_set(err, ENOMEM, "cannot keep the log");
	if (deb_deliver(log, deb->options.output, deb->log, err))
		return -1;
	error_set(err, 0, "%s: the %s build failed with status %d; its log is %s/%s", deb->tree,
		name, status, deb->options.output, deb->log);
	err->status = status;
	return -1;
}

static int build(struct deb *deb, const char *name, bool other, struct error *err)
{
	int status;

	deb_tell(deb, "building %s: %s build", deb->tree, name);
	status = deb_build(deb, name, other, err);
	return status > 0 ? fail(deb, name, status, err) : status;
}

static void tell_difference(void *context, const char *name, const char *how)
{
	json_array_append_new(
		context, json_pack("{s:o, s:s}", "name", json_text(name), "how", how));
	say("%s %s", name, how);
}

/* 1 when something differs. */
static int compare(struct deb *deb, struct error *err)
{
	cleanup_free char *first = deb_place(deb, FIRST), *second = deb_place(deb, SECOND);
	size_t differences;

	if (!first || !second)
		return error_set(err, ENOMEM, "cannot compare two builds");
	if (shows_progress(deb))
		fputs(CLEAR, stderr);
	deb->files = compare_directories(first, second, tell_difference, deb->differences, err);
	if (deb->files < 0)
		return -1;
	differences = json_array_size(deb->differences);
	if (differences)
		say("%s is not reproducible: %zu of %d files", deb->tree, differences, deb->files);
	else if (!deb->options.run.quiet)
		say("%s is reproducible: two builds gave the same %d files", deb->tree, deb->files);
	return differences > 0;
}

static int work(struct deb *deb, struct error *err)
{
	cleanup_free char *results = NULL;
	int differs = 0;

	if (prepare(deb, err) || install_packages(deb, err) || deb_build_prepare(deb, err) ||
		build(deb, FIRST, false, err))
		return -1;
	if (!deb->options.once) {
		if (build(deb, SECOND, true, err))
			return -1;
		differs = compare(deb, err);
	}
	if (differs < 0)
		return -1;
	results = deb_place(deb, FIRST);
	if (!results)
		return error_set(err, ENOMEM, "cannot write results");
	if (deb_attest(deb, results, deb->options.once || differs ? 1 : 2, err) ||
		deb_deliver_all(results, deb->options.output, err))
		return -1;
	return differs;
}

static int keep_build(const struct deb *deb, const char *name, struct error *err)
{
	cleanup_free char *from = deb_place(deb, name), *to = NULL;

	if (!from || asprintf(&to, "%s/%s", deb->options.keep, name) < 0)
		return error_set(err, ENOMEM, "--keep");
	if (access(from, F_OK))
		return 0;
	return check_output("--keep", to, err) || deb_deliver_all(from, to, err) ? -1 : 0;
}

static int keep_builds(const struct deb *deb, struct error *err)
{
	if (!deb->options.keep || !deb->scratch.path)
		return 0;
	return keep_build(deb, FIRST, err) || keep_build(deb, SECOND, err) ? -1 : 0;
}

static int tell_json(
	const struct deb *deb, int status, const struct error *failure, struct error *err)
{
	if (!deb->options.json)
		return 0;
	return status < 0 ? deb_json(deb, failure->status, failure, err)
			  : deb_json(deb, status, NULL, err);
}

static int run(struct deb *deb, struct error *err)
{
	struct error trouble;
	int status;

	if (deb->options.run.help) {
		deb_options_help();
		return 0;
	}
	status = work(deb, err);
	if (shows_progress(deb))
		fputs(CLEAR, stderr);
	if (keep_builds(deb, &trouble) || tell_json(deb, status, err, &trouble)) {
		if (status < 0)
			say("%s", err->text);
		*err = trouble;
		return -1;
	}
	return status;
}

static void release(struct deb *deb)
{
	execute_release(&deb->options.run);
	scratch_remove(&deb->scratch);
	dsc_release(&deb->dsc);
	apt_plan_release(&deb->plan);
	free(deb->layer);
	free(deb->tree);
	free(deb->log);
	free(deb->statement);
	free(deb->source);
	json_decref(deb->differences);
}

int command_deb(int argc, char **argv)
{
	struct deb deb = {
		.options = { .output = ".", .jobs = DEFAULT_JOBS },
		.scratch.guard = -1,
		.files = -1,
		.differences = json_array(),
	};
	struct error err;
	int status = -1;

	unsetenv("SOURCE_DATE_EPOCH"); /* it is the changelog's */
	execute_defaults(&deb.options.run);
	if (deb_options_read(&deb.options, argv, &err) == 0)
		status = run(&deb, &err);
	if (status < 0) {
		say("%s", err.text);
		status = err.status;
	}
	release(&deb);
	return status;
}
