#include "box/notices.h"

#include <stdio.h>

#include "box/refusals.h"

#define LOOK_S	0.5 /* between two looks at the tasks */
#define STALL_S 5.0

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

static void look_for_stall(struct notices *n, double now)
{
	uint32_t index = 0;

	n->stalls.arena = n->arena;
	if (stalls_next(&n->stalls, now, STALL_S, &index))
		tell_stall(n, index);
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
	if (n->stall_told || now < n->next)
		return;
	n->next = now + LOOK_S;
	look_for_stall(n, now);
}

void notices_release(struct notices *n)
{
	stalls_release(&n->stalls);
}
