/* Resource usage, and the end of children with whom it is told. */
#include "guest/children.h"
#include "guest/clock.h"
#include "guest/handlers.h"
#include "guest/nonblocking.h"
#include "guest/pidfds.h"
#include "guest/task.h"
#include "guest/timers.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define RUSAGE_SELF	0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD	1
#define RESIDENT_KIB	4096 /* a process's peak, whatever it is */
#define WNOHANG		1u
#define WSTOPPED	2u
#define WEXITED		4u
#define WCONTINUED	8u
#define WNOWAIT		0x01000000u
#define WAIT_KINDS	0xe0000000u /* __WNOTHREAD, __WALL, __WCLONE */
#define P_ALL		0
#define P_PID		1
#define P_PGID		2
#define P_PIDFD		3

struct rusage64 {
	int64_t user[2], system[2]; /* seconds and us */
	int64_t resident;
	int64_t rest[13];
};
_Static_assert(sizeof(struct rusage64) == 144, "struct rusage");

static long usage_out(uint64_t place, uint64_t cpu)
{
	const struct rusage64 usage = {
		.user = { (int64_t)(cpu / 1000000000), (int64_t)(cpu / 1000 % 1000000) },
		.resident = RESIDENT_KIB,
	};

	return copy_out(place, &usage, sizeof(usage));
}

long handle_getrusage(struct thread *self)
{
	const struct task *own = clock_owner(self), *task = task_at(self->task);
	uint64_t cpu;

	clock_look(self);
	cpu = clock_cpu(own);
	switch ((int)argument(self, 0)) {
	case RUSAGE_SELF:
		break;
	case RUSAGE_THREAD:
		cpu -= task == own || cpu < task->idle ? 0 : task->idle;
		break;
	case RUSAGE_CHILDREN:
		cpu = own->reaped;
		break;
	default:
		return -EINVAL;
	}
	return usage_out(argument(self, 1), cpu);
}

/* A wait for children: the call's own buffers are the guest's. */
struct child_wait {
	uint32_t number; /* wait4 or waitid */
	long args[4];
	uint32_t options;
	struct rusage64 usage; /* what the kernel says of it */
};

static long wait_now(struct wait *wait, uint32_t more)
{
	struct child_wait *child = (struct child_wait *)wait->args[0];
	const long *a = child->args;
	uint32_t options = child->options | more;

	return child->number == __NR_wait4
		       ? sys_window(__NR_wait4, a[0], a[1], options, &child->usage)
		       : sys_window(__NR_waitid, a[0], a[1], a[2], options, &child->usage);
}

/* Is there an answer? waitid says so in the pid that it writes. */
static bool answered(struct wait *wait, long r)
{
	const struct child_wait *child = (const struct child_wait *)wait->args[0];

	return child->number == __NR_wait4 ? r != 0
					   : r || ((struct kernel_siginfo *)child->args[2])->signo;
}

#define NOBODY (-1000) /* no call's answer: nobody was there */

/* The kernel waits for children without a limit only; so it is asked again and again. */
static long attempt_child(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct timespec64 nap = { 0, 500000 };
	long r;

	(void)self;
	if (ns == NEVER)
		return wait_now(wait, 0);
	for (;;) {
		r = wait_now(wait, WNOHANG);
		if (answered(wait, r))
			return r;
		if (ns == 0)
			return NOBODY;
		r = sys_window(__NR_ppoll, 0, 0, &nap, 0, sizeof(sigmask_t));
		if (r)
			return r;
		ns -= ns < (uint64_t)nap.nsec ? ns : (uint64_t)nap.nsec;
	}
}

/* Which child is meant, as waitpid has it; false: one that only the kernel can find. */
static bool meant(const struct child_wait *child, long *which)
{
	if (child->number == __NR_wait4) {
		*which = child->args[0];
		return true;
	}
	*which = child->args[0] == P_ALL ? -1 : child->args[0] == P_PID ? child->args[1] : 0;
	if (child->args[0] == P_PGID && child->args[1])
		*which = -child->args[1];
	return child->args[0] <= P_PGID;
}

/* The kernel will say how it ended, though not at once: it may be on its way. */
static long take_ended(struct thread *self, struct child_wait *child, int32_t pid)
{
	uint32_t options = (child->options & ~WNOHANG) | WAIT_ALL;
	long r;

	turn_hold(self);
	do { /* a signal that comes meanwhile is for later */
		if (child->number == __NR_wait4)
			r = sys(__NR_wait4, pid, child->args[1], options, &child->usage);
		else
			r = sys(__NR_waitid, P_PID, pid, child->args[2], options, &child->usage);
	} while (r == -EINTR);
	turn_release(self);
	if (!(child->options & WNOWAIT) || child->number == __NR_wait4)
		child_forget(self, pid);
	return r;
}

/* Are there children at all, and has one been stopped, or gone on? */
static long ask_for_others(struct thread *self, struct child_wait *child, long which)
{
	uint32_t changes = child->options & (WSTOPPED | WCONTINUED);
	long type = which == -1 ? P_ALL : which > 0 ? P_PID : P_PGID;
	long id = which < -1 ? -which : which == 0 ? sys(__NR_getpgid, 0) : which;
	struct kernel_siginfo info = { 0 };
	long r = sys(__NR_waitid, type, id, &info, WEXITED | WNOHANG | WNOWAIT | WAIT_ALL, 0);
	int32_t stopping;

	if (r || !changes)
		return r ? r : NOBODY;
	info.signo = 0;
	stopping = changes & WSTOPPED ? child_stopping(self, which) : 0;
	if (stopping)
		sys(__NR_waitid, P_PID, stopping, &info, WSTOPPED | WNOWAIT | WAIT_ALL, 0);
	else
		sys(__NR_waitid, type, id, &info, changes | WNOHANG | WNOWAIT | WAIT_ALL, 0);
	if (!info.signo)
		return NOBODY;
	if (child->number == __NR_wait4)
		return sys(__NR_wait4, info.child.pid, child->args[1],
			(child->options & ~WNOHANG) | WAIT_ALL, &child->usage);
	return sys(__NR_waitid, P_PID, info.child.pid, child->args[2],
		(child->options & ~(WNOHANG | WEXITED)) | WAIT_ALL, &child->usage);
}

/* Who looks for a child is asleep by the kernel's word, though it waits for nobody: that is what it
 * has to be before it looks. */
static long take_others(struct thread *self, struct child_wait *child, long which)
{
	long r;

	turn_hold(self);
	r = ask_for_others(self, child, which);
	turn_release(self);
	return r;
}

/* Not a child, but a process that this one traces: what becomes of it is for the kernel to say. */
static bool is_traced(const struct thread *self, long pid)
{
	const struct task *task = pid > 0 ? task_find_process((int32_t)pid) : NULL;

	return task && task->parent != task_at(self->task)->process;
}

/* Are there children that the options do not mean, and no others? */
static bool is_of_other_kind(struct thread *self, const struct child_wait *child, long which)
{
	uint32_t kind = child->options & (WAIT_ALL | WAIT_CLONES);

	return !(kind & WAIT_ALL) && !child_exists(self, which, kind) &&
	       child_exists(self, which, kind ^ WAIT_CLONES);
}

static long attempt_in_turn(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct child_wait *child = (struct child_wait *)wait->args[0];
	bool ends = child->number == __NR_wait4 || (child->options & WEXITED);
	int32_t pid;
	long which, r;

	(void)ns;
	children_reap(self);
	if (!meant(child, &which) || is_traced(self, which)) {
		if (self->pending)
			return -RESTART;
		turn_away(self);
		r = wait_now(wait, WAIT_ALL);
		turn_back(self);
		return r;
	}
	if (is_of_other_kind(self, child, which))
		return -ECHILD;
	pid = ends ? child_ended(self, which, child->options) : 0;
	r = pid ? take_ended(self, child, pid) : take_others(self, child, which);
	/* As in the kernel: the signal of a child's end does not interrupt the wait for it. */
	return r == NOBODY && self->pending && !(child->options & WNOHANG) ? -RESTART : r;
}

static bool options_valid(const struct child_wait *child)
{
	const uint32_t common = WNOHANG | WCONTINUED | WAIT_KINDS;
	uint32_t known = child->number == __NR_wait4 ? common | WSTOPPED
						     : common | WSTOPPED | WEXITED | WNOWAIT;

	if (child->options & ~known)
		return false;
	if (child->number == __NR_wait4)
		return true;
	return (child->options & (WEXITED | WSTOPPED | WCONTINUED)) &&
	       (child->args[0] == P_ALL || child->args[1] > 0 ||
		       (child->args[0] == P_PGID && child->args[1] == 0));
}

static long wait_for_child(struct thread *self, struct child_wait *child)
{
	struct wait wait = {
		.attempt = turns_matter() ? attempt_in_turn : attempt_child,
		.nothing = NOBODY,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_CHILD,
		.args = { (long)child },
	};
	long r;

	if (turns_matter() && (!options_valid(child) ||
				      (child->number == __NR_waitid && child->args[0] > P_PGID)))
		return wait_now(&wait, WNOHANG); /* the kernel says what is wrong */
	if (turns_matter() && (child->options & WNOHANG)) {
		r = attempt_in_turn(self, &wait, 0);
		return r == NOBODY ? 0 : r;
	}
	if ((child->options & WNOHANG) || (!turns_matter() && timers_due == NEVER))
		return wait_now(&wait, 0);
	return wait_until(self, &wait);
}

static long child_usage_out(uint64_t place, const struct child_wait *child, uint64_t cpu)
{
	if (!place)
		return 0;
	return process.relax & RELAX_TIME ? copy_out(place, &child->usage, sizeof(child->usage))
					  : usage_out(place, cpu);
}

static bool has_ended(int status)
{
	return (status & 0x7f) == 0 || ((status & 0x7f) != 0x7f && (status & 0xff) != 0xff);
}

long handle_wait4(struct thread *self)
{
	int32_t status = 0;
	uint64_t cpu = 0;
	struct child_wait child = {
		.number = __NR_wait4,
		.args = { (int32_t)argument(self, 0), (long)&status },
		.options = (uint32_t)argument(self, 2),
	};
	long pid = wait_for_child(self, &child);

	if (pid <= 0)
		return pid;
	if (has_ended(status))
		cpu = task_joined(self, pid);
	if (argument(self, 1) && copy_out(argument(self, 1), &status, sizeof(status)))
		return -EFAULT;
	return child_usage_out(argument(self, 3), &child, cpu) ? -EFAULT : pid;
}

/* The parts of the answer that the kernel writes. */
static long info_out(uint64_t place, const struct kernel_siginfo *info)
{
	const size_t first = offsetof(struct kernel_siginfo, mark);
	const size_t second = offsetof(struct kernel_siginfo, sender);

	if (!place)
		return 0;
	return copy_out(place, info, first) ||
			       copy_out(place + second, (const char *)info + second, 12)
		       ? -EFAULT
		       : 0;
}

/* A process by its descriptor: from here on by its number. Does the descriptor keep the call from
 * waiting? */
static bool by_descriptor(struct child_wait *child)
{
	int32_t pid = child->args[0] == P_PIDFD && turns_matter()
			      ? pidfd_process((uint64_t)child->args[1])
			      : 0;
	bool polls = pid > 0 && !(child->options & WNOHANG) &&
		     !descriptor_blocks((uint64_t)child->args[1]);

	if (pid > 0) {
		child->args[0] = P_PID;
		child->args[1] = pid;
	}
	if (polls)
		child->options |= WNOHANG;
	return polls;
}

long handle_waitid(struct thread *self)
{
	struct kernel_siginfo info = { 0 };
	uint64_t cpu = 0;
	struct child_wait child = {
		.number = __NR_waitid,
		.args = { (int32_t)argument(self, 0), (int32_t)argument(self, 1), (long)&info },
		.options = (uint32_t)argument(self, 3),
	};
	bool polls = by_descriptor(&child);
	long r = wait_for_child(self, &child);

	if (r == 0 && !info.signo && polls)
		return -EAGAIN;
	if (r)
		return r;
	if (info.signo == SIGCHLD && info.code >= CLD_EXITED && info.code <= CLD_DUMPED &&
		!(child.options & WNOWAIT))
		cpu = task_joined(self, info.sender.pid);
	if (child_usage_out(argument(self, 4), &child, cpu))
		return -EFAULT;
	return info_out(argument(self, 2), &info);
}
