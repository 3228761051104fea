#include "guest/facts.h"

#include "guest/sys.h"
#include "guest/task.h"

/* Debian's, where the kernel does not derive them from the host's memory. */
static const uint64_t first_limits[LIMITS][2] = {
	[RLIMIT_CPU] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_FSIZE] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_DATA] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_STACK] = { 8ull << 20, RLIM_INFINITY },
	[RLIMIT_CORE] = { 0, RLIM_INFINITY },
	[RLIMIT_RSS] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_NPROC] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_NOFILE] = { DESCRIPTOR_LIMIT, DESCRIPTOR_LIMIT_HARD },
	[RLIMIT_MEMLOCK] = { 8ull << 20, 8ull << 20 },
	[RLIMIT_AS] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_LOCKS] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_SIGPENDING] = { 15640, 15640 },
	[RLIMIT_MSGQUEUE] = { 819200, 819200 },
	[RLIMIT_NICE] = { 0, 0 },
	[RLIMIT_RTPRIO] = { 0, 0 },
	[RLIMIT_RTTIME] = { RLIM_INFINITY, RLIM_INFINITY },
};

static struct facts *at(uint32_t index)
{
	return &process.arena->facts[index];
}

static void all_cpus(uint64_t *mask)
{
	uint32_t cpus = process.arena->config.machine.cpus;

	for (uint32_t i = 0; i < MACHINE_CPUS_MAX; i++)
		if (i < cpus)
			mask[i / 64] |= 1ull << i % 64;
}

void facts_first(uint32_t index)
{
	struct facts *facts = at(index);

	*facts = (struct facts){ .io_priority = IO_PRIORITY_NONE };
	memcpy(facts->limits, first_limits, sizeof(first_limits));
	all_cpus(facts->affinity);
}

void facts_inherit(const struct thread *self, uint32_t index, uint64_t flags)
{
	const struct facts *own = facts_of_task(self), *group = facts_of_process(self);
	struct facts *child = at(index);

	*child = *own;
	if (child->policy & POLICY_RESET_ON_FORK) {
		child->policy = 0;
		if (child->nice < 0)
			child->nice = 0;
	}
	if ((flags & CLONE_THREAD) || own == group)
		return;
	memcpy(child->limits, group->limits, sizeof(child->limits));
	child->personality = group->personality;
	child->root = group->root;
	child->group_count = group->group_count;
	memcpy(child->groups, group->groups, sizeof(child->groups));
}

struct facts *facts_of_task(const struct thread *self)
{
	return at(self->task);
}

struct facts *facts_of_process(const struct thread *self)
{
	return at(task_at(self->task)->process);
}

struct facts *facts_find_task(const struct thread *self, int32_t tid)
{
	uint32_t index = task_find(self, tid);

	return index == NO_TASK ? NULL : at(index);
}

struct facts *facts_find_process(const struct thread *self, int32_t pid)
{
	uint32_t index = task_find(self, pid);

	return index == NO_TASK ? NULL : at(task_at(index)->process);
}
