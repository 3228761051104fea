#include "cli/image.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/values.h"

int image_prepare(
	const char *name, uint64_t limit, bool quiet, struct image *image, struct error *err)
{
	cleanup_free char *cache = cache_directory("images"), *what = NULL;
	struct image_options options = { cache, limit, quiet ? NULL : progress_show };
	int failed;

	if (asprintf(&what, "unpacking %s", name) < 0)
		what = NULL;
	progress_start(what);
	stop_watch();
	failed = image_open(name, &options, image, err);
	progress_end();
	stop_heed();
	return failed;
}

int image_cache_open(struct image_store *store, struct error *err)
{
	cleanup_free char *cache = cache_directory("images");

	return image_store_open(store, cache, err);
}

void image_size_text(uint64_t bytes, char text[SIZE_TEXT])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	double number = (double)bytes;
	size_t unit = 0;

	while (number >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		number /= 1000;
		unit++;
	}
	snprintf(text, SIZE_TEXT, "%.*f %s", unit ? 1 : 0, number, units[unit]);
}

static int set_json(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->json = value;
	return *value ? 0 : error_set(err, 0, "--json: must be a file, or - for standard output");
}

static int set_limit(void *target, const char *value, struct error *err)
{
	return value_size("--image-limit", value, &((struct image_words *)target)->limit, err);
}

static int set_older(void *target, const char *value, struct error *err)
{
	return value_number(
		"--older", value, 0, 36500, &((struct image_words *)target)->older, err);
}

static int set_all(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->all = true;
	return 0;
}

static int set_dry_run(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->dry_run = true;
	return 0;
}

static int set_check(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->check = true;
	return 0;
}

static int set_quiet(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->quiet = true;
	return 0;
}

static int set_help(void *target, const char *value, struct error *err)
{
	((struct image_words *)target)->help = true;
	return 0;
}

#define ROW_JSON                                                                                   \
	{                                                                                          \
		"json", 0, "FILE", "write it as JSON to FILE, or - for standard output", set_json  \
	}
#define ROW_LIMIT                                                                                  \
	{                                                                                          \
		"image-limit", 0, "SIZE", "bytes that the unpacked files may have (default 32G)",  \
			set_limit                                                                  \
	}
#define ROW_QUIET                                                                                  \
	{                                                                                          \
		"quiet", 'q', NULL, "show no progress", set_quiet                                  \
	}
#define ROW_HELP                                                                                   \
	{                                                                                          \
		"help", 'h', NULL, "print this", set_help                                          \
	}

static const struct option_row list_rows[] = { ROW_JSON, ROW_HELP };
static const struct option_row inspect_rows[] = { ROW_JSON, ROW_LIMIT, ROW_QUIET, ROW_HELP };
static const struct option_row import_rows[] = { ROW_LIMIT, ROW_QUIET, ROW_HELP };
static const struct option_row remove_rows[] = { ROW_HELP };
static const struct option_row prune_rows[] = {
	{ "all", 0, NULL, "those with a name, too", set_all },
	{ "older", 0, "DAYS", "only those that were not used for so long", set_older },
	{ "dry-run", 'n', NULL, "only say what would be removed", set_dry_run },
	ROW_HELP,
};
static const struct option_row digest_rows[] = {
	{ "check", 0, NULL, "read the files in the cache again; status 1 when they have changed",
		set_check },
	ROW_LIMIT,
	ROW_QUIET,
	ROW_HELP,
};

#define ROWS(rows) rows, sizeof(rows) / sizeof(rows[0])

static const struct subcommand {
	const char *name, *operands, *summary;
	size_t least, most; /* operands */
	int (*main)(const struct image_words *words, struct error *err);
	const struct option_row *rows;
	size_t row_count;
} subcommands[] = {
	{ "list", "", "list the images in the cache", 0, 0, image_list, ROWS(list_rows) },
	{ "inspect", " IMAGE", "tell what is known of an image", 1, 1, image_inspect,
		ROWS(inspect_rows) },
	{ "import", " PATH [NAME]", "unpack an image into the cache, and give it a name", 1, 2,
		image_import, ROWS(import_rows) },
	{ "digest", " IMAGE", "print the digest of an image's files", 1, 1, image_tell_digest,
		ROWS(digest_rows) },
	{ "prune", "", "remove images that have no name and are not in use", 0, 0, image_prune,
		ROWS(prune_rows) },
	{ "rm", " NAME|DIGEST", "remove a name, and the image with its last one", 1, 1,
		image_remove, ROWS(remove_rows) },
};
#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static int print_help(void)
{
	printf("usage: stet image SUBCOMMAND [OPTIONS] ...\n\n"
	       "Images that are unpacked in the cache, for 'stet run --image'. IMAGE is a "
	       "directory, a\n"
	       "tar, an OCI layout, or the name or digest (sha256:HEX) of an image in the "
	       "cache.\n\nsubcommands:\n");
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
	printf("\n'stet image SUBCOMMAND --help' says more about each.\n");
	return 0;
}

static int print_usage(const struct subcommand *command)
{
	printf("usage: stet image %s [OPTIONS]%s\n\n", command->name, command->operands);
	printf("%c%s.\n\n", command->summary[0] - 'a' + 'A', command->summary + 1);
	options_help(command->rows, command->row_count);
	return 0;
}

static int add_word(const struct subcommand *command, struct image_words *words, const char *word,
	struct error *err)
{
	if (words->count == command->most)
		return error_set(err, 0, "'%s' is too much; usage: stet image %s [OPTIONS]%s", word,
			command->name, command->operands);
	words->words[words->count++] = word;
	return 0;
}

/* Options may stand behind the other words, too, unless -- came before. */
static int read_words(
	const struct subcommand *command, struct image_words *words, char **argv, struct error *err)
{
	bool ended = false;

	for (char **at = argv;; at++) {
		char **rest = at;

		if (!ended &&
			options_parse(command->rows, command->row_count, words, at, &rest, err))
			return -1;
		ended |= rest > at && strcmp(rest[-1], "--") == 0;
		if (!*rest)
			break;
		if (add_word(command, words, *rest, err))
			return -1;
		at = rest;
	}
	if (words->count < command->least && !words->help)
		return error_set(err, 0, "which image? usage: stet image %s [OPTIONS]%s",
			command->name, command->operands);
	return 0;
}

static int run_subcommand(const struct subcommand *command, char **argv)
{
	struct image_words words = { .limit = IMAGE_LIMIT_DEFAULT };
	struct error err;
	int status = read_words(command, &words, argv, &err);

	if (status == 0)
		status = words.help ? print_usage(command) : command->main(&words, &err);
	if (status == 0 && (fflush(stdout) || ferror(stdout)))
		status = error_set(&err, 0, "cannot write to standard output");
	if (status >= 0)
		return status;
	say("%s", err.text);
	return err.status;
}

int command_image(int argc, char **argv)
{
	const char *name = argv[1];

	if (!name) {
		say("no subcommand; 'stet image --help' lists them");
		return STATUS_TROUBLE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return print_help();
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		if (strcmp(name, subcommands[i].name) == 0)
			return run_subcommand(&subcommands[i], argv + 2);
	say("'%s' is not a subcommand of stet image; 'stet image --help' lists them", name);
	return STATUS_TROUBLE;
}
