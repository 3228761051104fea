#include "box/stalls.h"

#include <stdlib.h>

/* Since when a task has been computing, with its process's clock at this time. */
struct stall {
	double since;
	double cpu; /* that it had used when somebody first asked; 0: nobody did */
	uint64_t clock;
	uint32_t generation;
};

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

static double stalled_for(struct stalls *s, uint32_t index, double now)
{
	struct stall *stall = &s->tasks[index];
	uint32_t generation = s->arena->tasks[index].generation;
	uint64_t clock;

	if (!computes_with_alarm(s->arena, index, &clock)) {
		stall->since = 0;
		return 0;
	}
	if (stall->since == 0 || stall->clock != clock || stall->generation != generation)
		*stall = (struct stall){ now, 0, clock, generation };
	return now - stall->since;
}

static bool timers_are_logical(const struct arena *arena)
{
	return !(arena->config.relax & (RELAX_ORDER | RELAX_TIME)) &&
	       arena->config.machine.timers == TIMERS_LOGICAL;
}

bool stalls_next(struct stalls *s, double now, double seconds, uint32_t *index)
{
	uint32_t end = s->arena->tasks_end;

	if (!timers_are_logical(s->arena))
		return false;
	if (!s->tasks)
		s->tasks = calloc(TASKS, sizeof(*s->tasks));
	for (; s->tasks && *index < end && *index < TASKS; ++*index)
		if (stalled_for(s, *index, now) >= seconds)
			return true;
	return false;
}

double stalls_computed(struct stalls *s, uint32_t index, double cpu)
{
	struct stall *stall = &s->tasks[index];

	if (stall->cpu == 0)
		stall->cpu = cpu;
	return cpu - stall->cpu;
}

void stalls_release(struct stalls *s)
{
	free(s->tasks);
}
