/*
 * stet-logdiff: finds the first event in which two logs of `stet run --log` differ.
 *
 * The events of a task are compared with those of the task of the same name in the other log, so it
 * does not matter how the tasks were interleaved. Logs can be far larger than memory: see
 * history.h.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "logdiff/log.h"
#include "logdiff/report.h"
#include "logdiff/tasks.h"

enum exit_status { SAME = 0, DIFFERENT = 1, TROUBLE = 125 };

static const char usage[] =
	"Usage: stet-logdiff [OPTIONS] A B\n"
	"Finds the first event in which two logs of stet run --log differ, task by task.\n"
	"\n"
	"  -c, --context N         how many events before it to show (default 5)\n"
	"      --ignore-results    compare what was asked, not what was answered\n"
	"      --ignore-addresses  take all hexadecimal numbers for the same\n"
	"      --only NAME         compare only events of this name, such as openat or exec\n"
	"      --task NAME         compare only this task, such as 1.2\n"
	"      --help              show this text\n"
	"\n"
	"Exit status: 0 when the logs are the same, 1 when they differ, 125 on trouble.\n";

struct options {
	struct rules rules;
	unsigned context;
	const char *paths[SIDES];
};

/* One pass over one log. Later passes look only at tasks that are not decided yet. */
struct pass {
	struct tasks *tasks;
	const struct rules *rules;
	enum side side;
	bool first;
};

static void pass_run(const struct pass *pass, struct log *log)
{
	struct line line;
	const char *text;

	log_rewind(log);
	while (log_next(log, pass->rules, &line, &text)) {
		struct task *task = pass->first
					    ? tasks_get(pass->tasks, line.task, line.task_length)
					    : tasks_find(pass->tasks, line.task, line.task_length);
		struct history *history;

		if (!task || task->verdict != HISTORY_NARROWED)
			continue;
		history = &task->history[pass->side];
		history_add(history, line_hash(&line, pass->rules, history->hash), line.seq);
	}
}

/* Decides about a task, or prepares it for the next pass; counts the undecided ones. */
static void judge(struct task *task, void *undecided)
{
	uint64_t at, stride;

	if (task->verdict != HISTORY_NARROWED)
		return;
	task->verdict =
		history_compare(&task->history[SIDE_A], &task->history[SIDE_B], &at, &stride);
	if (task->verdict == HISTORY_FOUND)
		task->differs_at = at;
	if (task->verdict == HISTORY_SAME) {
		history_free(&task->history[SIDE_A]);
		history_free(&task->history[SIDE_B]);
	}
	if (task->verdict != HISTORY_NARROWED)
		return;
	history_restart(&task->history[SIDE_A], at, stride);
	history_restart(&task->history[SIDE_B], at, stride);
	++*(size_t *)undecided;
}

static void compare(struct tasks *tasks, struct log *const logs[SIDES], const struct rules *rules)
{
	struct pass pass = { .tasks = tasks, .rules = rules, .first = true };
	size_t undecided;

	do {
		for (pass.side = 0; pass.side < SIDES; pass.side++)
			pass_run(&pass, logs[pass.side]);
		undecided = 0;
		tasks_visit(tasks, judge, &undecided);
		pass.first = false;
	} while (undecided);
}

/* The place of a task's difference in its log; where A has no event left, its last one stands for
 * it. */
static uint64_t seq_of(const struct task *task, enum side side)
{
	const struct history *history = &task->history[side];

	if (task->differs_at >= history->count)
		return history->last_seq;
	return history->marks[task->differs_at - history->start].seq;
}

/* By the order of A; tasks that are only in B come last. */
static bool differs_earlier(const struct task *a, const struct task *b)
{
	bool a_known = a->history[SIDE_A].count, b_known = b->history[SIDE_A].count;

	if (a_known != b_known)
		return a_known;
	return seq_of(a, a_known ? SIDE_A : SIDE_B) < seq_of(b, b_known ? SIDE_A : SIDE_B);
}

static void take_earlier(struct task *task, void *data)
{
	struct task **first = data;

	if (task->verdict == HISTORY_FOUND && (!*first || differs_earlier(task, *first)))
		*first = task;
}

static enum exit_status run(const struct options *options)
{
	struct log *logs[SIDES] = { log_open(options->paths[SIDE_A]),
		log_open(options->paths[SIDE_B]) };
	struct tasks tasks = { 0 };
	struct task *first = NULL;

	compare(&tasks, logs, &options->rules);
	tasks_visit(&tasks, take_earlier, &first);
	if (first)
		report_print(logs, &options->rules, first, options->context);
	tasks_free(&tasks);
	for (enum side side = 0; side < SIDES; side++)
		log_close(logs[side]);
	return first ? DIFFERENT : SAME;
}

static unsigned parse_context(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n > 1000000)
		errx(TROUBLE, "--context needs a number up to 1000000, not \"%s\"", text);
	return (unsigned)n;
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { IGNORE_RESULTS = 256, IGNORE_ADDRESSES, ONLY, TASK, HELP };
	static const struct option long_options[] = {
		{ "context", required_argument, NULL, 'c' },
		{ "ignore-results", no_argument, NULL, IGNORE_RESULTS },
		{ "ignore-addresses", no_argument, NULL, IGNORE_ADDRESSES },
		{ "only", required_argument, NULL, ONLY },
		{ "task", required_argument, NULL, TASK },
		{ "help", no_argument, NULL, HELP },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "c:", long_options, NULL)) != -1) {
		switch (option) {
		case 'c':
			options->context = parse_context(optarg);
			break;
		case IGNORE_RESULTS:
			options->rules.ignore_results = true;
			break;
		case IGNORE_ADDRESSES:
			options->rules.ignore_addresses = true;
			break;
		case ONLY:
			options->rules.only = optarg;
			break;
		case TASK:
			options->rules.task = optarg;
			break;
		case HELP:
			fputs(usage, stdout);
			exit(SAME);
		default:
			exit(TROUBLE);
		}
	}
	if (argc - optind != SIDES)
		errx(TROUBLE, "needs two logs; see --help");
	options->paths[SIDE_A] = argv[optind];
	options->paths[SIDE_B] = argv[optind + 1];
}

int main(int argc, char **argv)
{
	struct options options = { .context = 5 };

	parse(&options, argc, argv);
	return (int)run(&options);
}
