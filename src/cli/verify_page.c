#include "cli/verify_page.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/page.h"
#include "cli/verify_say.h"

#define OTHER_FACTS 3 /* besides those of runs and of sets */

struct facts {
	struct report_fact *list;
	size_t count;
	bool failed;
};

__attribute__((format(printf, 3, 4))) static void add(
	struct facts *facts, const char *name, const char *format, ...)
{
	struct report_fact *fact = &facts->list[facts->count];
	va_list values;

	va_start(values, format);
	if (vasprintf(&fact->value, format, values) < 0)
		fact->value = NULL;
	va_end(values);
	fact->name = strdup(name);
	facts->count++;
	facts->failed |= !fact->name || !fact->value;
}

static void add_run(struct facts *facts, size_t number, const struct verify_outcome *run)
{
	char name[32];

	snprintf(name, sizeof(name), "run %zu", number);
	add(facts, name, "status %d, %.2f s%s%s", run->status, run->seconds,
		run->digest[0] ? ", digest sha256:" : "", run->digest);
}

static void add_all(struct facts *facts, const struct verify_report *report,
	const struct verify_options *options)
{
	char words[VARIATIONS_TEXT];

	variations_tell(options->vary, ", ", words, sizeof(words));
	add(facts, "where", "%s",
		options->native ? "natively: the command sees the conditions" : "in the container");
	add(facts, "what varied", "%s", words);
	for (size_t i = 0; i < report->count; i++)
		add_run(facts, i + 1, &report->runs[i]);
	for (size_t i = 0; i < report->set_count; i++) {
		variations_explain(report->sets[i], words, sizeof(words));
		add(facts, "differs with", "%s", words);
	}
	if (report->ratio > 0)
		add(facts, "speed", "%.2f times native", report->ratio);
	else if (report->native_least > 0)
		add(facts, "speed", "natively more than %.0f s", report->native_least);
}

static char *title_of(const struct verify_options *options)
{
	char **command = options->run.box.command, *title = NULL;
	size_t size;
	FILE *out = open_memstream(&title, &size);

	if (!out)
		return NULL;
	fputs("stet verify", out);
	for (; command && *command; command++)
		fprintf(out, " %s", *command);
	return fclose(out) ? NULL : title;
}

static void release(struct facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		free(facts->list[i].name);
		free(facts->list[i].value);
	}
	free(facts->list);
}

static int write_page(struct new_file *file, const struct verify_report *report,
	const struct verify_options *options, const struct facts *facts, struct error *err)
{
	cleanup_free char *title = title_of(options);
	const struct report_preface preface = {
		.title = title,
		.verdict = report->differs ? "NOT REPRODUCIBLE" : "REPRODUCIBLE",
		.good = !report->differs,
		.facts = facts->list,
		.fact_count = facts->count,
	};
	char last[32];
	struct report words = verify_say_names(report, last);

	if (!title || facts->failed)
		return error_set(err, ENOMEM, "--html");
	words.preface = &preface;
	return page_write(file, options->html, report->difference, &words, err);
}

int verify_page(struct new_file *file, const struct verify_report *report,
	const struct verify_options *options, struct error *err)
{
	struct facts facts = { 0 };
	int failed;

	if (!options->html)
		return 0;
	facts.list = calloc(report->count + report->set_count + OTHER_FACTS, sizeof(*facts.list));
	if (!facts.list)
		return error_set(err, ENOMEM, "--html");
	add_all(&facts, report, options);
	failed = write_page(file, report, options, &facts, err);
	release(&facts);
	return failed;
}
