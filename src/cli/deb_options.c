#include "cli/deb_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/machine_options.h"
#include "cli/values.h"

#define JOBS_MAX  1024
#define TABLE_MAX 64

static int set_output(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--output: must be a directory");
	((struct deb_options *)target)->output = value;
	return 0;
}

static int set_jobs(void *target, const char *value, struct error *err)
{
	return value_number(
		"--jobs", value, 1, JOBS_MAX, &((struct deb_options *)target)->jobs, err);
}

static int set_once(void *target, const char *value, struct error *err)
{
	((struct deb_options *)target)->once = true;
	return 0;
}

static int set_keep(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--keep: must be a directory");
	((struct deb_options *)target)->keep = value;
	return 0;
}

static int set_json(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--json: must be a file, or - for standard output");
	((struct deb_options *)target)->json = value;
	return 0;
}

static const struct option_row own[] = {
	{ "output", 'o', "DIR", "where results go (default: the current directory)", set_output },
	{ "jobs", 'j', "N", "DEB_BUILD_OPTIONS=parallel=N; part of the result (default 4)",
		set_jobs },
	{ "once", 0, NULL, "do not check the result by a second build", set_once },
	{ "keep", 0, "DIR", "keep what each build gave in DIR, whatever comes of it", set_keep },
	{ "json", 0, "FILE", "write the result for programs to FILE, or - for standard output",
		set_json },
};
#define OWN (sizeof(own) / sizeof(own[0]))

/* What else of `stet run` a build can do with. */
static const char *const shared[] = { "image", "image-limit", "mount", "env", "hostname", "net",
	"timeout", "stats", "epoch", "time", "seed", "cpu", "cpus", "memory", "kernel", "timers",
	"relax", "strict-order", "quiet", "verbose", "help" };

static bool is_shared(const char *name)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (strcmp(shared[i], name) == 0)
			return true;
	return false;
}

/* Fills a table with all of them; answers how many there are. */
static size_t make_table(struct option_row table[TABLE_MAX])
{
	size_t of_run, count = OWN;
	const struct option_row *rows = run_options_rows(&of_run);

	memcpy(table, own, sizeof(own));
	for (size_t i = 0; i < of_run && count < TABLE_MAX; i++)
		if (is_shared(rows[i].name))
			table[count++] = rows[i];
	return count;
}

int deb_options_read(struct deb_options *options, char **argv, struct error *err)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);
	char **rest = argv + 1;

	options->run.box.machine = machine_default();
	do {
		if (options_parse(table, count, options, rest, &rest, err))
			return -1;
		if (*rest && options->file)
			return error_set(err, 0, "'%s': one source package at a time", *rest);
		if (*rest)
			options->file = *rest++;
	} while (*rest);
	if (!options->file && !options->run.help)
		return error_set(err, 0, "no source package; usage: stet deb [OPTIONS] FILE.dsc");
	return 0;
}

void deb_options_help(void)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);

	printf("usage: stet deb [OPTIONS] FILE.dsc\n\n"
	       "Builds a Debian source package in a reproducible container, twice, and writes the\n"
	       "packages if both builds gave the same.\n\n");
	options_help(table, count);
}
