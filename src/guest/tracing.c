/*
 * ptrace. A tracer stops others at moments of real time, and at calls that are the guest's: where
 * there is an order, all would wait for each other. So it is refused, as by a kernel that lets nobody
 * trace; but not to a process that shares memory with the one that it traces, and runs while that
 * waits: so leak checkers look at a program at its end.
 */
#include "guest/calls.h"
#include "guest/handlers.h"
#include "guest/race.h"
#include "guest/sys.h"
#include "guest/task.h"

#define TRACE_ME 0
#define ATTACH	 16
#define SEIZE	 0x4206

static bool shares_memory(const struct thread *self, int32_t tid)
{
	uint32_t index = task_find(self, tid);

	return index != NO_TASK && domain_of(index) && domain_of(index) == domain_of(self->task);
}

long handle_ptrace(struct thread *self)
{
	uint64_t request = argument(self, 0);

	if (request == TRACE_ME)
		return refuse_call(self, -EPERM);
	if ((request == ATTACH || request == SEIZE) &&
		!shares_memory(self, (int32_t)argument(self, 1)))
		return refuse_call(self, -EPERM);
	return pass_on(self);
}
