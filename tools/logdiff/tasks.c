#include "logdiff/tasks.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#define TROUBLE	     125
#define FIRST_CHAINS 1024

static size_t chain_of(const struct tasks *tasks, const char *name, size_t length)
{
	size_t hash = 5381;

	for (size_t i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)name[i];
	return hash % tasks->chain_count;
}

struct task *tasks_find(const struct tasks *tasks, const char *name, size_t length)
{
	struct task *task = NULL;

	if (tasks->chain_count)
		task = tasks->chains[chain_of(tasks, name, length)];
	while (task && (strncmp(task->name, name, length) != 0 || task->name[length]))
		task = task->next;
	return task;
}

static void link_task(struct tasks *tasks, struct task *task)
{
	struct task **chain = &tasks->chains[chain_of(tasks, task->name, strlen(task->name))];

	task->next = *chain;
	*chain = task;
}

static void grow(struct tasks *tasks)
{
	struct tasks larger = { .count = tasks->count };

	larger.chain_count = tasks->chain_count ? 4 * tasks->chain_count : FIRST_CHAINS;
	larger.chains = calloc(larger.chain_count, sizeof(*larger.chains));
	if (!larger.chains)
		err(TROUBLE, "cannot remember more tasks");
	for (size_t i = 0; i < tasks->chain_count; i++) {
		struct task *task = tasks->chains[i];

		while (task) {
			struct task *next = task->next;

			link_task(&larger, task);
			task = next;
		}
	}
	free(tasks->chains);
	*tasks = larger;
}

struct task *tasks_get(struct tasks *tasks, const char *name, size_t length)
{
	struct task *task = tasks_find(tasks, name, length);

	if (task)
		return task;
	if (tasks->count >= tasks->chain_count)
		grow(tasks);
	task = calloc(1, sizeof(*task));
	if (!task || !(task->name = strndup(name, length)))
		err(TROUBLE, "cannot remember more tasks");
	task->verdict = HISTORY_NARROWED;
	for (enum side side = 0; side < SIDES; side++)
		history_init(&task->history[side]);
	link_task(tasks, task);
	tasks->count++;
	return task;
}

void tasks_visit(
	const struct tasks *tasks, void (*visit)(struct task *task, void *data), void *data)
{
	for (size_t i = 0; i < tasks->chain_count; i++) {
		for (struct task *task = tasks->chains[i]; task; task = task->next)
			visit(task, data);
	}
}

void tasks_free(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->chain_count; i++) {
		struct task *task = tasks->chains[i];

		while (task) {
			struct task *next = task->next;

			for (enum side side = 0; side < SIDES; side++)
				history_free(&task->history[side]);
			free(task->name);
			free(task);
			task = next;
		}
	}
	free(tasks->chains);
	*tasks = (struct tasks){ 0 };
}
