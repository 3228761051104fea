#include <stdio.h>

#include "base/stop.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/execute.h"
#include "cli/page.h"
#include "cli/verify_json.h"
#include "cli/verify_page.h"
#include "cli/verify_runs.h"
#include "cli/verify_say.h"
#include "cli/verify_work.h"
#include "diff/diff.h"
#include "verify/bisect.h"
#include "verify/variations.h"

#define SPEED_MOST 30 /* seconds: longer runs are not compared with a native one, unless asked to */

struct verify {
	struct verify_work work;
	struct verify_report report;
	struct new_file page;	  /* of --html */
	struct new_file document; /* of --json */
	unsigned trials;	  /* of --bisect */
};

/* How long it takes when everything is left native. */

static double least_seconds(const struct verify_report *report)
{
	double least = report->runs[0].seconds;

	for (size_t i = 1; i < report->count; i++)
		if (report->runs[i].seconds < least)
			least = report->runs[i].seconds;
	return least;
}

static int measure(struct verify *verify, struct error *err)
{
	const struct verify_options *options = &verify->work.options;
	struct verify_report *report = &verify->report;
	double least = least_seconds(report);
	struct verify_run run;

	if (options->native || report->differs || options->run.quiet ||
		(least > SPEED_MOST && !options->speed))
		return 0;
	if (verify_work_plan(&verify->work, &run, "native", err))
		return -1;
	snprintf(run.label, sizeof(run.label), "native run");
	run.plain = true;
	run.most = options->speed ? 0 : SPEED_MOST;
	run.cpus = verify_runs_share(options);
	if (verify_work_run(&run, err))
		return -1;
	if (run.outcome->late)
		report->native_least = run.outcome->seconds;
	else if (run.outcome->seconds > 0)
		report->ratio = least / run.outcome->seconds;
	verify_work_drop(&verify->work, "native");
	return 0;
}

static void tell_trial(const char *label, uint32_t set, bool differs)
{
	char names[VARIATIONS_TEXT];

	variations_tell(set, " ", names, sizeof(names));
	say("%s: %s with %s", label, differs ? "differs" : "the same", names);
}

static int differs_with(void *context, uint32_t set, struct error *err)
{
	struct verify *verify = context;
	struct verify_run run;
	struct node *difference;
	char name[32];
	int differs;

	snprintf(name, sizeof(name), "bisect-%u", ++verify->trials);
	if (verify_work_plan(&verify->work, &run, name, err))
		return -1;
	snprintf(run.label, sizeof(run.label), "bisecting, run %u", verify->trials);
	run.vary = set;
	run.turn = 1;
	if (verify_work_run(&run, err))
		return -1;
	difference = verify_work_compare(&verify->work, name, err);
	if (!difference)
		return -1;
	differs = !diff_is_equal(difference, LEVEL_BITS);
	node_free(difference);
	verify_work_drop(&verify->work, name);
	if (verify->work.options.run.box.verbose)
		tell_trial(run.label, set, differs);
	return differs;
}

static int bisect(struct verify *verify, struct error *err)
{
	struct verify_report *report = &verify->report;
	int count;

	if (!verify->work.options.bisect || !report->differs)
		return 0;
	count = bisect_find(verify->work.options.vary, differs_with, verify, report->sets, err);
	if (count < 0)
		return -1;
	report->set_count = (size_t)count;
	return 0;
}

static int act(struct verify *verify, struct error *err)
{
	const struct verify_options *options = &verify->work.options;
	struct verify_report *report = &verify->report;

	if (document_open(&verify->document, options->json, err) ||
		page_open(&verify->page, options->html, err) ||
		verify_work_prepare(&verify->work, err) ||
		verify_runs(&verify->work, report, err) || bisect(verify, err) ||
		measure(verify, err) || verify_work_keep(&verify->work, report->count, err))
		return -1;
	if (!options->run.quiet)
		verify_say(report, options);
	if (options->json && verify_json(report, options, &verify->document, err))
		return -1;
	if (verify_page(&verify->page, report, options, err))
		return -1;
	return report->differs ? 1 : 0;
}

int command_verify(int argc, char **argv)
{
	struct verify verify = {
		.work = { .options = { .runs = 2, .vary = VARY_ALL }, .scratch = { .guard = -1 } },
		.page = NEW_FILE_NONE,
		.document = NEW_FILE_NONE,
	};
	struct verify_options *options = &verify.work.options;
	struct error err;
	int status;

	execute_defaults(&options->run);
	status = verify_options_read(options, argv, &verify.work.run.own, &err);
	if (status == 0 && options->run.help) {
		verify_options_help();
	} else if (status == 0) {
		stop_watch();
		status = act(&verify, &err);
	}
	node_free(verify.report.difference);
	new_file_release(&verify.page);
	new_file_release(&verify.document);
	verify_work_release(&verify.work);
	stop_heed();
	if (status < 0)
		say("%s", err.text);
	return status < 0 ? STATUS_TROUBLE : status;
}
