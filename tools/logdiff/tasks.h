/* The tasks of two logs, found by name. */
#ifndef STET_LOGDIFF_TASKS_H
#define STET_LOGDIFF_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "logdiff/history.h"

enum side { SIDE_A, SIDE_B, SIDES };

struct task {
	struct task *next; /* in the table's chain */
	char *name;
	struct history history[SIDES];
	enum history_verdict verdict;
	uint64_t differs_at; /* index of the task's first event that differs, when FOUND */
};

struct tasks {
	struct task **chains;
	size_t chain_count, count;
};

/* NULL when there is none of that name. */
struct task *tasks_find(const struct tasks *tasks, const char *name, size_t length);

/* The task of that name, a new one if need be. */
struct task *tasks_get(struct tasks *tasks, const char *name, size_t length);

/* Calls visit(task, data) for each. */
void tasks_visit(
	const struct tasks *tasks, void (*visit)(struct task *task, void *data), void *data);

void tasks_free(struct tasks *tasks);

#endif
