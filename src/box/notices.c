#include "box/notices.h"

#include <stdio.h>
#include <stdlib.h>

#include "box/refusals.h"

#define LOOK_S	0.5 /* between two looks at the tasks */
#define STALL_S 5.0

/* Since when a task has been computing, with its process's clock at this time. */
struct stall {
	double since;
	uint64_t clock;
	uint32_t generation;
};

/* The container can write anything into the arena: copies are looked at. */
static bool computes_with_alarm(const struct arena *arena, uint32_t index, uint64_t *clock)
{
	const struct task *task = &arena->tasks[index];
	const struct turn *turn = &arena->turns[index];
	uint32_t owner = task->process;

	if (task->state != TASK_LIVE || owner >= TASKS || !arena->tasks[owner].alarmed)
		return false;
	*clock = arena->tasks[owner].clock;
	return turn->domain && !turn->parked && !turn->ready && !turn->away && !turn->asleep &&
	       !turn->busy;
}

/* For how many seconds has the task computed without an event? */
static double stalled_for(struct notices *n, uint32_t index, double now)
{
	struct stall *stall = &n->tasks[index];
	uint32_t generation = n->arena->tasks[index].generation;
	uint64_t clock;

	if (!computes_with_alarm(n->arena, index, &clock)) {
		stall->since = now;
		return 0;
	}
	if (stall->since == 0 || stall->clock != clock || stall->generation != generation)
		*stall = (struct stall){ now, clock, generation };
	return now - stall->since;
}

static void tell_stall(struct notices *n, uint32_t index)
{
	char line[256];

	snprintf(line, sizeof(line),
		"process %d has computed for %.0f s without a call while its timer is pending: "
		"timers "
		"fire at calls; if it waits for that: --timers instant",
		(int)n->arena->tasks[index].pid, STALL_S);
	n->note(line);
	n->stall_told = true;
}

static bool timers_are_logical(const struct arena *arena)
{
	return !(arena->config.relax & (RELAX_ORDER | RELAX_TIME)) &&
	       arena->config.machine.timers == TIMERS_LOGICAL;
}

static void look_for_stalls(struct notices *n, double now)
{
	uint32_t end = n->arena->tasks_end;

	if (!n->tasks)
		n->tasks = calloc(TASKS, sizeof(*n->tasks));
	for (uint32_t i = 0; n->tasks && i < end && i < TASKS && !n->stall_told; i++)
		if (stalled_for(n, i, now) >= STALL_S)
			tell_stall(n, i);
}

void notices_look(struct notices *n, double now)
{
	char text[sizeof(n->arena->notice.text) + 1];

	if (!n->note)
		return;
	if (!n->told && __atomic_load_n(&n->arena->notice.state, __ATOMIC_ACQUIRE) == 2) {
		refusals_text(&n->arena->notice, text, sizeof(text));
		n->note(text);
		n->told = true;
	}
	if (n->stall_told || now < n->next || !timers_are_logical(n->arena))
		return;
	n->next = now + LOOK_S;
	look_for_stalls(n, now);
}

void notices_release(struct notices *n)
{
	free(n->tasks);
}
