#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/color.h"
#include "cli/diff_json.h"
#include "cli/document.h"
#include "base/json_text.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "diff/diff.h"
#include "diff/report.h"

#define NESTS_MOST 1000 /* each takes some of the stack */

struct words {
	struct diff_options options;
	struct report report;
	const char *json, *html, *color;
	struct new_file page, document;
	bool text, quiet, help;
};

static const struct {
	const char *name;
	enum level level;
} levels[] = {
	{ "bits", LEVEL_BITS },
	{ "content", LEVEL_CONTENT },
	{ "structure", LEVEL_STRUCTURE },
};
#define LEVELS (sizeof(levels) / sizeof(levels[0]))

static int set_level(void *target, const char *value, struct error *err)
{
	for (size_t i = 0; i < LEVELS; i++)
		if (strcmp(value, levels[i].name) == 0) {
			((struct words *)target)->options.level = levels[i].level;
			return 0;
		}
	return error_set(err, 0, "--level %s: must be structure, content or bits", value);
}

static int set_ignore(void *target, const char *value, struct error *err)
{
	struct diff_options *options = &((struct words *)target)->options;
	const char **all = reallocarray(
		options->ignored, options->ignored_count + 1, sizeof(*options->ignored));

	if (!all)
		return error_set(err, ENOMEM, "--ignore %s", value);
	options->ignored = all;
	all[options->ignored_count++] = value;
	return 0;
}

static int set_memory(void *target, const char *value, struct error *err)
{
	return value_size("--memory-limit", value, &((struct words *)target)->options.memory, err);
}

static int set_depth(void *target, const char *value, struct error *err)
{
	uint64_t depth;

	if (value_number("--depth", value, 0, NESTS_MOST, &depth, err))
		return -1;
	((struct words *)target)->options.depth = (unsigned)depth;
	return 0;
}

static int set_json(void *target, const char *value, struct error *err)
{
	((struct words *)target)->json = value;
	return *value ? 0 : error_set(err, 0, "--json: must be a file, or - for standard output");
}

static int set_html(void *target, const char *value, struct error *err)
{
	((struct words *)target)->html = value;
	return *value ? 0 : error_set(err, 0, "--html: must be a file, or - for standard output");
}

static int set_color(void *target, const char *value, struct error *err)
{
	((struct words *)target)->color = value;
	if (strcmp(value, "auto") == 0 || strcmp(value, "always") == 0 ||
		strcmp(value, "never") == 0)
		return 0;
	return error_set(err, 0, "--color %s: must be auto, always or never", value);
}

static int set_text(void *target, const char *value, struct error *err)
{
	((struct words *)target)->text = true;
	return 0;
}

static int set_times(void *target, const char *value, struct error *err)
{
	((struct words *)target)->options.times = true;
	return 0;
}

static int set_full(void *target, const char *value, struct error *err)
{
	((struct words *)target)->report.full = true;
	return 0;
}

static int set_quiet(void *target, const char *value, struct error *err)
{
	((struct words *)target)->quiet = true;
	return 0;
}

static int set_help(void *target, const char *value, struct error *err)
{
	((struct words *)target)->help = true;
	return 0;
}

static const struct option_row rows[] = {
	{ "level", 0, "LEVEL", "what is equal enough: structure, content or bits (default bits)",
		set_level },
	{ "text", 0, NULL, "print the report, also with --json or --html", set_text },
	{ "json", 0, "FILE", "write the result as JSON, - for standard output", set_json },
	{ "html", 0, "FILE", "write the result as a page, - for standard output", set_html },
	{ "ignore", 0, "PATTERN", "leave out objects of this name or path; several times",
		set_ignore },
	{ "times", 0, NULL, "compare times of files in directories, too", set_times },
	{ "full", 0, NULL, "fold nothing in the report", set_full },
	{ "memory-limit", 0, "SIZE", "bytes that may be unpacked at a time (default 8G)",
		set_memory },
	{ "depth", 0, "N", "how deep to look into nests (default 32)", set_depth },
	{ "color", 0, "WHEN", "auto, always or never (default auto)", set_color },
	{ "quiet", 'q', NULL, "print nothing; the status says it", set_quiet },
	{ "help", 'h', NULL, "print this", set_help },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int print_help(void)
{
	printf("usage: stet diff [OPTIONS] A B\n\n"
	       "Compares two files or directories, as deep as it can look into them. Each object\n"
	       "is BITWISE-EQUAL, CONTENT-EQUAL (only times, order and the like differ),\n"
	       "STRUCTURE-EQUAL (the same shape), or DIFFERENT. The status is 0 when all are "
	       "equal\n"
	       "at the level asked for, 1 when not, 125 in case of trouble.\n\n");
	options_help(rows, ROWS);
	return 0;
}

static bool is_output(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

/* Options may stand behind A and B, too, unless -- came before. */
static int read_words(struct words *words, char **argv, struct error *err)
{
	const char **operands[] = { &words->report.a, &words->report.b };
	size_t count = 0;
	bool ended = false;

	for (char **at = argv, **rest;; at = rest + 1) {
		rest = at;
		if (!ended && options_parse(rows, ROWS, words, at, &rest, err))
			return -1;
		ended |= rest > at && strcmp(rest[-1], "--") == 0;
		if (!*rest)
			break;
		if (count == 2)
			return error_set(
				err, 0, "'%s' is too much; usage: stet diff [OPTIONS] A B", *rest);
		*operands[count++] = *rest;
	}
	if (count < 2 && !words->help)
		return error_set(err, 0, "two things are needed; usage: stet diff [OPTIONS] A B");
	if (is_output(words->json) && is_output(words->html))
		return error_set(err, 0, "--json - and --html -: only one can be standard output");
	return 0;
}

static bool wants_color(const char *when)
{
	return strcmp(when, "auto") == 0 ? color_wanted(STDOUT_FILENO)
					 : strcmp(when, "always") == 0;
}

static const char *name_of_level(enum level level)
{
	for (size_t i = 0; i < LEVELS; i++)
		if (levels[i].level == level)
			return levels[i].name;
	return NULL;
}

static int write_json(struct words *words, const struct node *root, struct error *err)
{
	json_t *json = json_pack("{s:o, s:o, s:s, s:s, s:b, s:o, s:o}", "a",
		json_text(words->report.a), "b", json_text(words->report.b), "level",
		level_name(root->level), "asked", name_of_level(words->options.level), "equal",
		diff_is_equal(root, words->options.level), "counts", diff_json_counts(root),
		"object", diff_json_object(root));

	return document_finish(json, "diff", &words->document, words->json, err);
}

static int report(struct words *words, const struct node *root, struct error *err)
{
	bool to_output = is_output(words->json) || is_output(words->html);
	bool prints = words->text || (!words->json && !words->html);

	words->report.color = wants_color(words->color);
	if (prints && !words->quiet && !to_output)
		report_text(root, &words->report, stdout);
	if (words->json && write_json(words, root, err))
		return -1;
	if (page_write(&words->page, words->html, root, &words->report, err))
		return -1;
	if (fflush(stdout) || ferror(stdout))
		return error_set(err, errno, "cannot write to standard output");
	return diff_is_equal(root, words->options.level) ? 0 : 1;
}

static int compare(struct words *words, struct error *err)
{
	cleanup_free char *what = NULL;
	struct node *root;
	int status;

	if (document_open(&words->document, words->json, err) ||
		page_open(&words->page, words->html, err))
		return -1;
	if (asprintf(&what, "comparing %s", words->report.a) < 0)
		what = NULL;
	words->options.progress = words->quiet ? NULL : progress_show;
	progress_start(what);
	root = diff_paths(words->report.a, words->report.b, &words->options, err);
	progress_end();
	status = root ? report(words, root, err) : -1;
	node_free(root);
	return status;
}

int command_diff(int argc, char **argv)
{
	struct words words = {
		.options = { .memory = DIFF_MEMORY, .depth = DIFF_DEPTH, .members = DIFF_MEMBERS },
		.color = "auto",
		.page = NEW_FILE_NONE,
		.document = NEW_FILE_NONE,
	};
	struct error err;
	int status = read_words(&words, argv + 1, &err);

	if (status == 0)
		status = words.help ? print_help() : compare(&words, &err);
	new_file_release(&words.page);
	new_file_release(&words.document);
	free(words.options.ignored);
	if (status >= 0)
		return status;
	say("%s", err.text);
	return err.status;
}
