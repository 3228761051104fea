#include "cli/verify_say.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/color.h"
#include "diff/diff.h"

static void say_sets(const struct verify_report *report)
{
	for (size_t i = 0; i < report->set_count; i++) {
		char words[VARIATIONS_TEXT];

		variations_explain(report->sets[i], words, sizeof(words));
		say("differs with: %s", words);
	}
}

struct report verify_say_names(const struct verify_report *report, char last[32])
{
	snprintf(last, 32, "run-%zu", report->count);
	return (struct report){ .a = "run-1", .b = last };
}

static const char *verdict(const struct verify_report *report)
{
	bool color = color_wanted(STDERR_FILENO);

	if (report->differs)
		return color ? "\033[1;31mNOT REPRODUCIBLE\033[0m" : "NOT REPRODUCIBLE";
	return color ? "\033[1;32mREPRODUCIBLE\033[0m" : "REPRODUCIBLE";
}

static bool is_output(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

static void say_different(const struct verify_report *report, const struct verify_options *options)
{
	const struct verify_outcome *first = &report->runs[0],
				    *last = &report->runs[report->count - 1];
	char last_name[32];
	struct report words = verify_say_names(report, last_name);

	words.color = color_wanted(STDOUT_FILENO);
	if (!is_output(options->json) && !is_output(options->html))
		report_text(report->difference, &words, stdout);
	fflush(stdout);
	if (first->status != last->status)
		say("%s: run 1 ended with status %d, run %zu with status %d", verdict(report),
			first->status, report->count, last->status);
	else if (diff_is_equal(report->difference, LEVEL_BITS))
		say("%s: the digest of run 1 is sha256:%s, that of run %zu sha256:%s",
			verdict(report), first->digest, report->count, last->digest);
	else
		say("%s: run %zu of %u differs from run 1", verdict(report), report->count,
			(unsigned)options->runs);
	say_sets(report);
}

static void say_same(const struct verify_report *report)
{
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
	else if (report->native_least > 0)
		snprintf(ratio, sizeof(ratio), ", natively more than %.0f s", report->native_least);
	say("%s: %zu runs%s%s, %.2f s each%s", verdict(report), report->count, status, digest,
		sum / (double)report->count, ratio);
	if (!first->digest[0] && first->no_digest[0])
		say("no digest: %s", first->no_digest);
}

void verify_say(const struct verify_report *report, const struct verify_options *options)
{
	if (report->differs)
		say_different(report, options);
	else
		say_same(report);
}
