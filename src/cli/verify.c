#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "box/scratch.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/document.h"
#include "cli/page.h"
#include "cli/verify_json.h"
#include "cli/verify_options.h"
#include "cli/verify_run.h"
#include "diff/diff.h"
#include "diff/report.h"
#include "image/remove.h"
#include "verify/bisect.h"
#include "verify/variations.h"

#define SPEED_MOST 30 /* seconds: runs that are longer are not run once more to measure speed */

struct verify {
	struct verify_options options;
	struct verify_run run; /* what all of them share */
	struct verify_report report;
	struct scratch scratch;
	struct new_file page;	  /* of --html */
	struct new_file document; /* of --json */
	struct stat without[2];	  /* the scratch directory, and that of --keep */
	char *input;		  /* a file with what came in on standard input, or NULL */
	unsigned trials;	  /* of --bisect */
};

static char *place_of(const struct verify *verify, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", verify->scratch.path, name) < 0 ? NULL : path;
}

/* All that is needed before the first run. */

static bool is_own_input(const struct verify *verify)
{
	const char *input = verify->options.run.box.stdin_path;

	return input && strcmp(input, "-") == 0;
}

/* Each run is to read the same. */
static int take_input(struct verify *verify, struct error *err)
{
	char buffer[65536];
	cleanup_close int fd = -1;
	ssize_t n;

	if (!is_own_input(verify))
		return 0;
	verify->input = place_of(verify, "input");
	if (verify->input)
		fd = open(verify->input, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, errno, "--stdin");
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		if (write(fd, buffer, (size_t)n) != n)
			return error_set(err, errno, "--stdin: cannot keep what is read");
	if (n < 0)
		return error_set(err, errno, "--stdin: cannot read");
	verify->options.run.box.stdin_path = verify->input;
	return 0;
}

static int make_scratch(struct verify *verify, struct error *err)
{
	const char *keep = verify->options.keep;

	/* Below --keep, results get to their places by their names alone. */
	if (scratch_make(&verify->scratch, keep, err))
		return -1;
	if (stat(verify->scratch.path, &verify->without[0]) ||
		stat(keep ? keep : verify->scratch.path, &verify->without[1]))
		return error_set(err, errno, "cannot find %s", verify->scratch.path);
	verify->run.without = verify->without;
	verify->run.without_count = 2;
	return 0;
}

static int prepare(struct verify *verify, struct error *err)
{
	verify->run.outcome = mmap(NULL, sizeof(*verify->run.outcome), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (verify->run.outcome == MAP_FAILED)
		return error_set(err, errno, "cannot share memory");
	verify->report.runs = calloc(verify->options.runs, sizeof(*verify->report.runs));
	if (!verify->report.runs)
		return error_set(err, ENOMEM, "--runs");
	verify->run.options = &verify->options;
	verify->run.epoch = time(NULL);
	return make_scratch(verify, err) || take_input(verify, err) ? -1 : 0;
}

/* Runs it into a directory of this name. */
static int run_into(struct verify *verify, const char *name, const char *label, uint32_t vary,
	unsigned turn, struct error *err)
{
	cleanup_free char *place = place_of(verify, name);
	struct verify_run run = verify->run;
	struct error why;

	if (!place)
		return error_set(err, ENOMEM, "%s", label);
	run.label = label;
	run.place = place;
	run.vary = vary;
	run.turn = turn;
	if (verify_run(&run, &why))
		return error_set(err, 0, "%s: %s", label, why.text);
	return 0;
}

/* A wish to stop that comes now has its effect at once: the scratch directory goes by itself. */
static struct node *compare(struct verify *verify, const char *name, struct error *err)
{
	const struct diff_options options = {
		.memory = DIFF_MEMORY, .depth = DIFF_DEPTH, .members = DIFF_MEMBERS
	};
	cleanup_free char *first = place_of(verify, "run-1"), *other = place_of(verify, name);
	struct node *result;

	if (!first || !other) {
		error_set(err, ENOMEM, "%s", name);
		return NULL;
	}
	stop_heed();
	result = diff_paths(first, other, &options, err);
	stop_watch();
	return result;
}

static void drop(const struct verify *verify, const char *name)
{
	cleanup_free char *place = place_of(verify, name);

	if (place)
		remove_tree(AT_FDCWD, place);
}

/* The runs, until one differs from the first. */

static bool digests_differ(const struct verify_report *report)
{
	const struct verify_outcome *first = &report->runs[0],
				    *last = &report->runs[report->count - 1];

	return strcmp(first->digest, last->digest) != 0;
}

static int run_one(struct verify *verify, unsigned number, struct error *err)
{
	struct verify_report *report = &verify->report;
	char name[32], label[64];

	snprintf(name, sizeof(name), "run-%u", number);
	snprintf(label, sizeof(label), "run %u of %u", number, (unsigned)verify->options.runs);
	if (run_into(verify, name, label, number > 1 ? verify->options.vary : 0, number - 1, err))
		return -1;
	report->runs[report->count++] = *verify->run.outcome;
	if (number == 1)
		return 0;
	node_free(report->difference);
	report->difference = compare(verify, name, err);
	if (!report->difference)
		return -1;
	report->differs = !diff_is_equal(report->difference, LEVEL_BITS) || digests_differ(report);
	if (!verify->options.keep && !report->differs)
		drop(verify, name);
	return 0;
}

static int run_all(struct verify *verify, struct error *err)
{
	for (unsigned i = 1; i <= verify->options.runs && !verify->report.differs; i++)
		if (run_one(verify, i, err))
			return -1;
	return 0;
}

/* How long it takes when everything is left native. */
static int measure(struct verify *verify, struct error *err)
{
	struct verify_report *report = &verify->report;
	double least = report->runs[0].seconds;
	int failed;

	for (size_t i = 1; i < report->count; i++)
		if (report->runs[i].seconds < least)
			least = report->runs[i].seconds;
	if (verify->options.native || report->differs || verify->options.run.quiet ||
		(least > SPEED_MOST && !verify->options.speed))
		return 0;
	verify->run.plain = true;
	failed = run_into(verify, "native", "native run", 0, 0, err);
	verify->run.plain = false;
	if (failed)
		return -1;
	if (verify->run.outcome->seconds > 0)
		report->ratio = least / verify->run.outcome->seconds;
	drop(verify, "native");
	return 0;
}

static int differs_with(void *context, uint32_t set, struct error *err)
{
	struct verify *verify = context;
	char name[32], label[64];
	struct node *difference;
	int differs;

	snprintf(name, sizeof(name), "bisect-%u", ++verify->trials);
	snprintf(label, sizeof(label), "bisecting, run %u", verify->trials);
	if (run_into(verify, name, label, set, 1, err))
		return -1;
	difference = compare(verify, name, err);
	if (!difference)
		return -1;
	differs = !diff_is_equal(difference, LEVEL_BITS);
	node_free(difference);
	drop(verify, name);
	if (verify->options.run.box.verbose) {
		char names[512];

		variations_tell(set, " ", names, sizeof(names));
		say("%s: %s with %s", label, differs ? "differs" : "the same", names);
	}
	return differs;
}

static int bisect(struct verify *verify, struct error *err)
{
	struct verify_report *report = &verify->report;
	int count;

	if (!verify->options.bisect || !report->differs)
		return 0;
	count = bisect_find(verify->options.vary, differs_with, verify, report->sets, err);
	if (count < 0)
		return -1;
	report->set_count = (size_t)count;
	return 0;
}

/* What is said in the end. */

static void say_sets(const struct verify_report *report)
{
	for (size_t i = 0; i < report->set_count; i++) {
		char names[512], words[512];
		size_t used = 0;

		variations_tell(report->sets[i], " + ", names, sizeof(names));
		for (unsigned j = 0; j < VARIATIONS; j++)
			if (report->sets[i] & VARY_BIT(j))
				used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
					used ? ", " : "", variation_says(j));
		say("differs with: %s (%s)", names, words);
	}
}

static struct report words_of(const struct verify_report *report, char last[32])
{
	snprintf(last, 32, "run-%zu", report->count);
	return (struct report){ .a = "run-1", .b = last };
}

static bool is_output(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

static void say_different(const struct verify *verify)
{
	const struct verify_report *report = &verify->report;
	const struct verify_outcome *first = &report->runs[0],
				    *last = &report->runs[report->count - 1];
	char last_name[32];
	const struct report words = words_of(report, last_name);

	if (!is_output(verify->options.json) && !is_output(verify->options.html))
		report_text(report->difference, &words, stdout);
	fflush(stdout);
	if (first->status != last->status)
		say("NOT REPRODUCIBLE: run 1 ended with status %d, run %zu with status %d",
			first->status, report->count, last->status);
	else if (diff_is_equal(report->difference, LEVEL_BITS))
		say("NOT REPRODUCIBLE: the digest of run 1 is sha256:%s, that of run %zu sha256:%s",
			first->digest, report->count, last->digest);
	else
		say("NOT REPRODUCIBLE: run %zu of %u differs from run 1", report->count,
			(unsigned)verify->options.runs);
	say_sets(report);
}

static void say_same(const struct verify *verify)
{
	const struct verify_report *report = &verify->report;
	const struct verify_outcome *first = &report->runs[0];
	char status[32] = "", digest[96] = "", ratio[48] = "";
	double sum = 0;

	for (size_t i = 0; i < report->count; i++)
		sum += report->runs[i].seconds;
	if (first->status)
		snprintf(status, sizeof(status), ", status %d in each", first->status);
	if (first->digest[0])
		snprintf(digest, sizeof(digest), ", digest sha256:%s", first->digest);
	if (report->ratio > 0)
		snprintf(ratio, sizeof(ratio), ", %.2f times native", report->ratio);
	say("REPRODUCIBLE: %zu runs%s%s, %.2f s each%s", report->count, status, digest,
		sum / (double)report->count, ratio);
	if (!first->digest[0] && first->no_digest[0])
		say("no digest: %s", first->no_digest);
}

static int rename_kept(const struct verify *verify, struct error *err)
{
	for (size_t i = 1; verify->options.keep && i <= verify->report.count; i++) {
		cleanup_free char *from = NULL, *to = NULL;

		if (asprintf(&from, "%s/run-%zu", verify->scratch.path, i) < 0 ||
			asprintf(&to, "%s/run-%zu", verify->options.keep, i) < 0)
			return error_set(err, ENOMEM, "--keep");
		if (rename(from, to))
			return error_set(err, errno, "--keep: cannot make %s", to);
	}
	return 0;
}

static int act(struct verify *verify, struct error *err)
{
	struct verify_report *report = &verify->report;
	struct report words;
	char last[32];

	if (document_open(&verify->document, verify->options.json, err) ||
		page_open(&verify->page, verify->options.html, err) || prepare(verify, err) ||
		run_all(verify, err) || bisect(verify, err) || measure(verify, err) ||
		rename_kept(verify, err))
		return -1;
	words = words_of(report, last);
	if (!verify->options.run.quiet) {
		if (report->differs)
			say_different(verify);
		else
			say_same(verify);
	}
	if (verify->options.json && verify_json(report, &verify->options, &verify->document, err))
		return -1;
	if (page_write(&verify->page, verify->options.html, report->difference, &words, err))
		return -1;
	return report->differs ? 1 : 0;
}

static void release(struct verify *verify)
{
	node_free(verify->report.difference);
	new_file_release(&verify->page);
	new_file_release(&verify->document);
	free(verify->report.runs);
	free(verify->input);
	scratch_remove(&verify->scratch);
	execute_release(&verify->options.run);
}

int command_verify(int argc, char **argv)
{
	struct verify verify = {
		.options = { .runs = 2, .vary = VARY_ALL },
		.scratch = { .guard = -1 },
		.page = NEW_FILE_NONE,
		.document = NEW_FILE_NONE,
	};
	struct error err;
	int status;

	execute_defaults(&verify.options.run);
	status = verify_options_read(&verify.options, argv, &verify.run.own, &err);
	if (status == 0 && verify.options.run.help) {
		verify_options_help();
	} else if (status == 0) {
		stop_watch();
		status = act(&verify, &err);
	}
	release(&verify);
	stop_heed();
	if (status < 0)
		say("%s", err.text);
	return status < 0 ? STATUS_TROUBLE : status;
}
