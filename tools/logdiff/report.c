#include "logdiff/report.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TROUBLE 125

/* The last few lines that were put into it. */
struct recent {
	char **lines;
	unsigned room, count; /* count: of all that were ever put */
};

static void recent_init(struct recent *recent, unsigned room)
{
	*recent = (struct recent){ .room = room, .lines = calloc(room + 1, sizeof(char *)) };
	if (!recent->lines)
		err(TROUBLE, "cannot remember %u events", room);
}

static void recent_put(struct recent *recent, const char *text)
{
	char **place;

	if (recent->room == 0)
		return;
	place = &recent->lines[recent->count++ % recent->room];
	free(*place);
	*place = strdup(text);
	if (!*place)
		err(TROUBLE, "cannot remember %u events", recent->room);
}

static void recent_print(const struct recent *recent, const char *title)
{
	unsigned first = recent->count > recent->room ? recent->count - recent->room : 0;

	if (recent->count == 0)
		return;
	printf("%s:\n", title);
	for (unsigned i = first; i < recent->count; i++)
		printf("   %s\n", recent->lines[i % recent->room]);
}

static void recent_free(struct recent *recent)
{
	for (unsigned i = 0; i < recent->room; i++)
		free(recent->lines[i]);
	free(recent->lines);
}

/* What leads to the differing event in one log. */
struct scene {
	struct recent task, all;
	char *event; /* NULL: the task has no more events */
};

static void scene_read(struct scene *scene, struct log *log, const struct rules *rules,
	const struct task *task, unsigned context)
{
	uint64_t index = 0;
	struct line line;
	const char *text;

	recent_init(&scene->task, context);
	recent_init(&scene->all, context);
	scene->event = NULL;
	log_rewind(log);
	while (!scene->event && log_next(log, rules, &line, &text)) {
		bool same = strlen(task->name) == line.task_length &&
			    memcmp(task->name, line.task, line.task_length) == 0;

		if (same && index++ == task->differs_at) {
			scene->event = strdup(text);
			continue;
		}
		recent_put(&scene->all, text);
		if (same)
			recent_put(&scene->task, text);
	}
}

static void scene_free(struct scene *scene)
{
	recent_free(&scene->task);
	recent_free(&scene->all);
	free(scene->event);
}

void report_print(struct log *const logs[SIDES], const struct rules *rules, const struct task *task,
	unsigned context)
{
	static const char *const none = "(the task has no more events)";
	struct scene scenes[SIDES] = { 0 };

	for (enum side side = 0; side < SIDES; side++)
		scene_read(&scenes[side], logs[side], rules, task, context);
	printf("the logs differ first in task %s, at its event %llu\n", task->name,
		(unsigned long long)task->differs_at + 1);
	printf("A: %s\n", scenes[SIDE_A].event ? scenes[SIDE_A].event : none);
	printf("B: %s\n", scenes[SIDE_B].event ? scenes[SIDE_B].event : none);
	recent_print(&scenes[SIDE_A].task, "before it in this task, in A");
	recent_print(&scenes[SIDE_B].task, "before it in this task, in B");
	/* When A's task just ended there, the whole rest of A has gone by. */
	if (scenes[SIDE_A].event)
		recent_print(&scenes[SIDE_A].all, "before it in all tasks, in A");
	for (enum side side = 0; side < SIDES; side++)
		scene_free(&scenes[side]);
}
