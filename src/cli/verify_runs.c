#include "cli/verify_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/diff.h"

/* Two at least: --parallel is also for commands that wait more than they compute. */
#define AT_A_TIME_LEAST 2

/* Runs that are under way: run i is in slot (i - 1) % count. */
struct slots {
	struct verify_run *list;
	unsigned count;
	unsigned started; /* runs so far */
};

static cpu_set_t own_cpus(void)
{
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof(all), &all))
		CPU_ZERO(&all);
	return all;
}

static unsigned at_a_time(const struct verify_options *options)
{
	cpu_set_t all = own_cpus();
	unsigned cpus = (unsigned)CPU_COUNT(&all);
	unsigned most = cpus > AT_A_TIME_LEAST ? cpus : AT_A_TIME_LEAST;

	if (!options->parallel)
		return 1;
	return options->runs < most ? (unsigned)options->runs : most;
}

/* One of `count` equal parts of the CPUs; none where there are not enough. */
static cpu_set_t share(unsigned slot, unsigned count)
{
	cpu_set_t all = own_cpus(), part;
	unsigned cpus = (unsigned)CPU_COUNT(&all), size = cpus / count, seen = 0;

	CPU_ZERO(&part);
	if (count == 1)
		return part;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		if (seen >= slot * size && seen < (slot + 1) * size)
			CPU_SET(cpu, &part);
		seen++;
	}
	return part;
}

cpu_set_t verify_runs_share(const struct verify_options *options)
{
	return share(0, at_a_time(options));
}

static void name_run(unsigned number, char name[32])
{
	snprintf(name, 32, "run-%u", number);
}

static int start_next(const struct verify_work *work, struct slots *slots, struct error *err)
{
	unsigned slot = slots->started % slots->count, number = slots->started + 1;
	struct verify_run *run = &slots->list[slot];
	char name[32];

	name_run(number, name);
	if (verify_work_plan(work, run, name, err))
		return -1;
	snprintf(run->label, sizeof(run->label), "run %u of %u", number,
		(unsigned)work->options.runs);
	run->vary = number > 1 ? work->options.vary : 0;
	run->turn = number - 1;
	run->cpus = share(slot, slots->count);
	run->outcome = &work->outcomes[number - 1];
	slots->started = number;
	return verify_run_start(run, err);
}

static int end_run(struct slots *slots, unsigned number, struct error *err)
{
	struct verify_run *run = &slots->list[(number - 1) % slots->count];
	int failed = verify_run_end(run, err);

	free(run->place);
	run->place = NULL;
	return failed;
}

static int compare(const struct verify_work *work, struct verify_report *report, struct error *err)
{
	const struct verify_outcome *first = &report->runs[0],
				    *last = &report->runs[report->count - 1];
	char name[32];

	name_run((unsigned)report->count, name);
	node_free(report->difference);
	report->difference = verify_work_compare(work, name, err);
	if (!report->difference)
		return -1;
	report->differs = !diff_is_equal(report->difference, LEVEL_BITS) ||
			  strcmp(first->digest, last->digest) != 0;
	if (!work->options.keep && !report->differs)
		verify_work_drop(work, name);
	return 0;
}

static int run_all(const struct verify_work *work, struct slots *slots,
	struct verify_report *report, struct error *err)
{
	for (unsigned i = 1; i <= work->options.runs && !report->differs; i++) {
		while (slots->started < work->options.runs && slots->started < i - 1 + slots->count)
			if (start_next(work, slots, err))
				return -1;
		if (end_run(slots, i, err))
			return -1;
		report->count = i;
		if (i > 1 && compare(work, report, err))
			return -1;
	}
	return 0;
}

int verify_runs(const struct verify_work *work, struct verify_report *report, struct error *err)
{
	struct slots slots = { .count = at_a_time(&work->options) };
	int failed;

	slots.list = calloc(slots.count, sizeof(*slots.list));
	if (!slots.list)
		return error_set(err, ENOMEM, "--runs");
	report->runs = work->outcomes;
	failed = run_all(work, &slots, report, err);
	for (unsigned i = 0; i < slots.count; i++) {
		verify_run_stop(&slots.list[i]);
		free(slots.list[i].place);
	}
	free(slots.list);
	return failed;
}
