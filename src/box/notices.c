#include "box/notices.h"

#include <stdio.h>

#include "box/refusals.h"

static void tell_stall(struct notices *n, uint32_t index)
{
	char line[256];

	snprintf(line, sizeof(line),
		"process %d has computed for 5 s without a call while its timer is pending: timers "
		"fire at calls; if it waits for that: --timers instant",
		(int)n->arena->tasks[index].pid);
	n->note(line);
	n->stall_told = true;
}

void notices_look(struct notices *n)
{
	uint32_t stalled = __atomic_load_n(&n->arena->stalled, __ATOMIC_ACQUIRE);
	char text[sizeof(n->arena->notice.text) + 1];

	if (!n->note)
		return;
	if (!n->told && __atomic_load_n(&n->arena->notice.state, __ATOMIC_ACQUIRE) == 2) {
		refusals_text(&n->arena->notice, text, sizeof(text));
		n->note(text);
		n->told = true;
	}
	if (!n->stall_told && stalled && stalled <= TASKS)
		tell_stall(n, stalled - 1);
}
