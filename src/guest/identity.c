/* Who a task is. Numbers of tasks are those of the container's own namespace, where only it
 * counts. */
#include "guest/children.h"
#include "guest/facts.h"
#include "guest/handlers.h"
#include "guest/task.h"
#include "guest/turn.h"

#include <linux/capability.h>

#define GROUPS_KERNEL 65536 /* NGROUPS_MAX */

long handle_getpid(struct thread *self)
{
	return task_at(self->task)->pid;
}

long handle_gettid(struct thread *self)
{
	return task_at(self->task)->tid;
}

/* Turns keep who is whose parent; without them only the kernel knows. */
long handle_getppid(struct thread *self)
{
	return turns_matter() && !(process.relax & RELAX_PID) ? child_parent(self) : pass_on(self);
}

/* An ordinary user cannot drop the groups of the host's that are not mapped: they do not show. */
long handle_getgroups(struct thread *self)
{
	const struct facts *facts = facts_of_process(self);
	int32_t room = (int32_t)argument(self, 0);

	if (room < 0 || (room && (uint32_t)room < facts->group_count))
		return -EINVAL;
	if (room && copy_out(argument(self, 1), facts->groups,
			    facts->group_count * sizeof(facts->groups[0])))
		return -EFAULT;
	return facts->group_count;
}

/* What decides is the capability, which a task can keep when it becomes somebody else. */
static bool may_set_groups(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return sys(__NR_capget, &header, data) == 0 && data[0].effective & (1u << CAP_SETGID);
}

long handle_setgroups(struct thread *self)
{
	struct facts *facts = facts_of_process(self);
	uint32_t count = (uint32_t)argument(self, 0), groups[GROUPS_MAX];

	if (!may_set_groups())
		return -EPERM;
	if (count > GROUPS_KERNEL)
		return -EINVAL;
	if (count > GROUPS_MAX)
		return refuse_call(self, -ENOMEM);
	if (copy_in(groups, argument(self, 1), count * sizeof(groups[0])))
		return -EFAULT;
	/* Where the host has denied it, access by group is as the container's user has it. */
	sys(__NR_setgroups, count, groups);
	memcpy(facts->groups, groups, count * sizeof(groups[0]));
	facts->group_count = count;
	return 0;
}
