#include "cli/verify_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/save.h"
#include "cli/machine_options.h"
#include "cli/values.h"
#include "verify/variations.h"

#define TABLE_MAX     64
#define RUNS_MAX      1000
#define USAGE	      "stet verify [OPTIONS] [--] COMMAND [ARG...]"
#define DEFAULT_PLACE "/build"

static int set_runs(void *target, const char *value, struct error *err)
{
	return value_number(
		"--runs", value, 2, RUNS_MAX, &((struct verify_options *)target)->runs, err);
}

static int set_vary(void *target, const char *value, struct error *err)
{
	return variations_read(value, &((struct verify_options *)target)->vary, err);
}

static int set_native(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->native = true;
	return 0;
}

static int set_bisect(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->bisect = true;
	return 0;
}

static int set_parallel(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->parallel = true;
	return 0;
}

static int set_speed(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->speed = true;
	return 0;
}

static int set_keep(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->keep = value;
	return *value ? 0 : error_set(err, 0, "--keep: must be a directory");
}

static int set_json(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->json = value;
	return *value ? 0 : error_set(err, 0, "--json: must be a file, or - for standard output");
}

static int set_html(void *target, const char *value, struct error *err)
{
	((struct verify_options *)target)->html = value;
	return *value ? 0 : error_set(err, 0, "--html: must be a file, or - for standard output");
}

static const struct option_row own_rows[] = {
	{ "runs", 0, "N", "how many runs there are (default 2)", set_runs },
	{ "parallel", 0, NULL,
		"run them at the same time, on CPUs of their own where there are enough",
		set_parallel },
	{ "vary", 0, "LIST",
		"conditions that differ from the second run on, by name; -NAME: all but\n"
		"                            these (default all; doc/verify.md has the names)",
		set_vary },
	{ "native", 0, NULL, "let the command see these conditions, to find its own faults",
		set_native },
	{ "bisect", 0, NULL,
		"with --native: find the smallest set of conditions that makes a difference",
		set_bisect },
	{ "speed", 0, NULL, "measure the native speed also of long runs", set_speed },
	{ "keep", 0, "DIR", "keep what each run gave, in DIR/run-1 and so on", set_keep },
	{ "html", 0, "FILE", "write what differs as a page, - for standard output", set_html },
	{ "json", 0, "FILE", "write the result as JSON, - for standard output", set_json },
};
#define OWN (sizeof(own_rows) / sizeof(own_rows[0]))

/* What is written about one run in other forms has no place where there are several. */
static const char *const not_shared[] = { "json", "attest", "save", "digest", "stats", "log" };

static bool is_shared(const char *name)
{
	for (size_t i = 0; i < sizeof(not_shared) / sizeof(not_shared[0]); i++)
		if (strcmp(not_shared[i], name) == 0)
			return false;
	return true;
}

static size_t make_table(struct option_row table[TABLE_MAX])
{
	size_t of_run, count = OWN;
	const struct option_row *rows = run_options_rows(&of_run);

	memcpy(table, own_rows, sizeof(own_rows));
	for (size_t i = 0; i < of_run && count < TABLE_MAX; i++)
		if (is_shared(rows[i].name))
			table[count++] = rows[i];
	return count;
}

void verify_options_help(void)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);

	printf("usage: " USAGE "\n\n"
	       "Runs COMMAND several times, each time on a copy of the same files and under other\n"
	       "conditions, and says whether the results are the same: exit status, output and\n"
	       "files. The status is 0 when they are, 1 when not, 125 in case of trouble.\n\n");
	options_help(table, count);
	printf("\nconditions:\n");
	for (unsigned i = 0; i < VARIATIONS; i++)
		printf("  %-12s %s\n", variation_name(i), variation_says(i));
}

/* The current directory, at /build unless a mount takes that place; before others, so that these can
 * lie below it. */
static int mount_own(struct run_options *run, int *own, struct error *err)
{
	cleanup_free char *here = getcwd(NULL, 0);
	struct box_mount last;

	*own = -1;
	for (size_t i = 0; i < run->mount_count; i++)
		if (strcmp(run->mounts[i].inside, DEFAULT_PLACE) == 0)
			return 0;
	if (run->image)
		return 0;
	if (!here)
		return error_set(err, errno, "cannot find the current directory");
	if (run_options_mount(run, here, DEFAULT_PLACE, BOX_MOUNT_RW, err))
		return -1;
	last = run->mounts[run->mount_count - 1];
	memmove(run->mounts + 1, run->mounts, (run->mount_count - 1) * sizeof(*run->mounts));
	run->mounts[0] = last;
	run->bare = true;
	*own = 0;
	return 0;
}

/* It is made, or must be empty. */
static int open_keep(const char *path, struct error *err)
{
	struct error why;
	cleanup_close int fd = save_open(path, &why);

	return fd < 0 ? error_set(err, 0, "--keep: %s", why.text) : 0;
}

int verify_options_read(struct verify_options *options, char **argv, int *own, struct error *err)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);
	char **rest;

	options->run.box.machine = machine_default();
	if (options_parse(table, count, options, argv + 1, &rest, err) ||
		(!*rest && !options->run.help && !options->run.image &&
			error_set(err, 0, "no command; usage: " USAGE)) ||
		run_options_settle(&options->run, rest, err))
		return -1;
	if (options->bisect && !options->native)
		return error_set(err, 0,
			"--bisect: needs --native; in the container no condition makes a "
			"difference");
	if (options->native && !options->vary)
		return error_set(err, 0, "--vary: no condition is left that could differ");
	if (options->run.help)
		return 0;
	return (options->keep && open_keep(options->keep, err)) ||
			       mount_own(&options->run, own, err)
		       ? -1
		       : 0;
}
