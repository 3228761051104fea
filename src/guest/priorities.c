/*
 * Priorities and policies of scheduling: they have no effect on logical time, so they are
 * remembered (arena's struct facts) and shown, and the kernel is told nothing. The rules are those
 * for a user who may not raise a priority.
 */
#include "guest/facts.h"
#include "guest/handlers.h"

enum policy {
	POLICY_OTHER,
	POLICY_FIFO,
	POLICY_RR,
	POLICY_BATCH,
	POLICY_IDLE = 5,
	POLICY_DEADLINE
};
#define REALTIME_MOST 99

#define NICE_LEAST    (-20)
#define NICE_MOST     19

enum { WHICH_PROCESS, WHICH_GROUP, WHICH_USER };

/* Whose priority: of a group or a user, the calling task stands for all when it is one of them. */
static struct facts *chosen(struct thread *self, int32_t which, int32_t who)
{
	switch (which) {
	case WHICH_PROCESS:
		return facts_find_task(self, who);
	case WHICH_GROUP:
		return who == 0 || who == sys(__NR_getpgid, 0) ? facts_of_task(self) : NULL;
	default:
		return who == 0 || who == sys(__NR_getuid) ? facts_of_task(self) : NULL;
	}
}

long handle_getpriority(struct thread *self)
{
	uint32_t which = (uint32_t)argument(self, 0);
	const struct facts *facts;

	if (which > WHICH_USER)
		return -EINVAL;
	facts = chosen(self, (int32_t)which, (int32_t)argument(self, 1));
	return facts ? 20 - facts->nice : -ESRCH;
}

static long set_nice(struct facts *facts, int32_t nice)
{
	nice = nice < NICE_LEAST ? NICE_LEAST : nice > NICE_MOST ? NICE_MOST : nice;
	if (nice < facts->nice)
		return -EACCES;
	facts->nice = nice;
	return 0;
}

long handle_setpriority(struct thread *self)
{
	uint32_t which = (uint32_t)argument(self, 0);
	struct facts *facts;

	if (which > WHICH_USER)
		return -EINVAL;
	facts = chosen(self, (int32_t)which, (int32_t)argument(self, 1));
	return facts ? set_nice(facts, (int32_t)argument(self, 2)) : -ESRCH;
}

/* Input and output: kinds are numbered from 1, the class is above the level. */
#define IO_CLASS_SHIFT 13
#define IO_LEVELS      8u
enum io_class { IO_NONE, IO_REALTIME, IO_BEST_EFFORT, IO_IDLE };

long handle_ioprio_get(struct thread *self)
{
	int32_t which = (int32_t)argument(self, 0) - 1;
	const struct facts *facts;

	if (which < WHICH_PROCESS || which > WHICH_USER)
		return -EINVAL;
	facts = chosen(self, which, (int32_t)argument(self, 1));
	return facts ? (long)facts->io_priority : -ESRCH;
}

long handle_ioprio_set(struct thread *self)
{
	int32_t which = (int32_t)argument(self, 0) - 1;
	uint32_t priority = (uint32_t)argument(self, 2), class = priority >> IO_CLASS_SHIFT;
	uint32_t level = priority & ((1u << IO_CLASS_SHIFT) - 1);
	struct facts *facts;

	if (class == IO_REALTIME)
		return -EPERM;
	if (class > IO_IDLE || (class == IO_NONE && level) || level >= IO_LEVELS)
		return -EINVAL;
	if (which < WHICH_PROCESS || which > WHICH_USER)
		return -EINVAL;
	facts = chosen(self, which, (int32_t)argument(self, 1));
	if (!facts)
		return -ESRCH;
	facts->io_priority = class == IO_NONE ? IO_PRIORITY_NONE : priority;
	return 0;
}

/* Real-time policies need a right that nobody here has. */
static long set_policy(struct facts *facts, uint32_t policy, uint32_t priority)
{
	uint32_t kind = policy & ~POLICY_RESET_ON_FORK;

	switch (kind) {
	case POLICY_OTHER:
	case POLICY_BATCH:
	case POLICY_IDLE:
		if (priority)
			return -EINVAL;
		break;
	case POLICY_FIFO:
	case POLICY_RR:
		return priority < 1 || priority > REALTIME_MOST ? -EINVAL : -EPERM;
	case POLICY_DEADLINE:
		return -EPERM;
	default:
		return -EINVAL;
	}
	/* Once set, only those with the right take it away. */
	if ((facts->policy & POLICY_RESET_ON_FORK) && !(policy & POLICY_RESET_ON_FORK))
		return -EPERM;
	facts->policy = policy;
	return 0;
}

/* The task that a call is about; its pid must not be negative, and where it wants one, a
 * pointer. */
static long find(struct thread *self, bool pointer, struct facts **facts)
{
	int32_t pid = (int32_t)argument(self, 0);

	if (pid < 0 || (pointer && !argument(self, 1)))
		return -EINVAL;
	*facts = facts_find_task(self, pid);
	return *facts ? 0 : -ESRCH;
}

long handle_sched_getscheduler(struct thread *self)
{
	struct facts *facts;
	long r = find(self, false, &facts);

	return r ? r : facts->policy;
}

static long set_from_pointer(struct thread *self, uint64_t pointer, bool keep, uint32_t policy)
{
	struct facts *facts;
	int32_t priority;

	if (!pointer || (int32_t)argument(self, 0) < 0)
		return -EINVAL;
	if (copy_in(&priority, pointer, sizeof(priority)))
		return -EFAULT;
	facts = facts_find_task(self, (int32_t)argument(self, 0));
	if (!facts)
		return -ESRCH;
	return set_policy(facts, keep ? facts->policy : policy, (uint32_t)priority);
}

long handle_sched_setscheduler(struct thread *self)
{
	if ((int32_t)argument(self, 1) < 0)
		return -EINVAL;
	return set_from_pointer(self, argument(self, 2), false, (uint32_t)argument(self, 1));
}

long handle_sched_setparam(struct thread *self)
{
	return set_from_pointer(self, argument(self, 1), true, 0);
}

long handle_sched_getparam(struct thread *self)
{
	const int32_t priority = 0;
	struct facts *facts;
	long r = find(self, true, &facts);

	return r ? r : copy_out(argument(self, 1), &priority, sizeof(priority));
}

long handle_sched_rr_get_interval(struct thread *self)
{
	const int64_t slice[2] = { 0, 4000000 };
	struct facts *facts;
	long r = find(self, false, &facts);

	return r ? r : copy_out(argument(self, 1), slice, sizeof(slice));
}

struct kernel_sched_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t clamp_least, clamp_most;
};
_Static_assert(sizeof(struct kernel_sched_attr) == 56, "struct sched_attr");
#define ATTR_BYTES_FIRST	48 /* of the first version */
#define ATTR_FLAG_RESET_ON_FORK 1ull
#define ATTR_FLAGS		0x7full

long handle_sched_getattr(struct thread *self)
{
	struct kernel_sched_attr attr = { 0 };
	uint32_t bytes = (uint32_t)argument(self, 2);
	struct facts *facts;
	long r;

	if (bytes > PAGE || bytes < ATTR_BYTES_FIRST || (uint32_t)argument(self, 3))
		return -EINVAL;
	r = find(self, true, &facts);
	if (r)
		return r;
	attr.size = bytes < sizeof(attr) ? bytes : sizeof(attr);
	attr.policy = facts->policy & ~POLICY_RESET_ON_FORK;
	attr.flags = facts->policy & POLICY_RESET_ON_FORK ? ATTR_FLAG_RESET_ON_FORK : 0;
	attr.nice = facts->nice;
	return copy_out(argument(self, 1), &attr, attr.size);
}

static long read_attr(uint64_t from, struct kernel_sched_attr *attr)
{
	const uint32_t known = sizeof(*attr);
	uint32_t bytes;
	char byte;

	if (copy_in(&bytes, from, sizeof(bytes)))
		return -EFAULT;
	if (bytes == 0)
		bytes = ATTR_BYTES_FIRST;
	if (bytes < ATTR_BYTES_FIRST || bytes > PAGE)
		return copy_out(from, &known, sizeof(known)) ? -EFAULT : -E2BIG;
	for (uint32_t i = known; i < bytes; i++) {
		if (copy_in(&byte, from + i, 1))
			return -EFAULT;
		if (byte)
			return copy_out(from, &known, sizeof(known)) ? -EFAULT : -E2BIG;
	}
	return copy_in(attr, from, bytes < known ? bytes : known);
}

long handle_sched_setattr(struct thread *self)
{
	struct kernel_sched_attr attr = { 0 };
	struct facts *facts;
	long r;

	if (!argument(self, 1) || (int32_t)argument(self, 0) < 0 || (uint32_t)argument(self, 2))
		return -EINVAL;
	r = read_attr(argument(self, 1), &attr);
	if (r)
		return r;
	if ((int32_t)attr.policy < 0 || (attr.flags & ~ATTR_FLAGS))
		return -EINVAL;
	r = find(self, true, &facts);
	if (r)
		return r;
	if (attr.policy == POLICY_OTHER || attr.policy == POLICY_BATCH) {
		if (attr.nice < facts->nice)
			return -EPERM;
	}
	if (attr.flags & ATTR_FLAG_RESET_ON_FORK)
		attr.policy |= POLICY_RESET_ON_FORK;
	r = set_policy(facts, attr.policy, attr.priority);
	if (r == 0 && (attr.policy & ~POLICY_RESET_ON_FORK) != POLICY_IDLE)
		facts->nice = attr.nice > NICE_MOST ? NICE_MOST : attr.nice;
	return r;
}
