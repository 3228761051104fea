/* Calls about the process itself that would take the ground from under the guest. */
#include "guest/clock.h"
#include "guest/facts.h"
#include "guest/handlers.h"
#include "guest/manners.h"
#include "guest/process.h"
#include "guest/tsc.h"

#define ARCH_SHSTK_FIRST 0x5001 /* shadow stacks: enable, disable, lock, unlock, status */
#define ARCH_SHSTK_LAST	 0x5005

long handle_arch_prctl(struct thread *self)
{
	const uint64_t zero = 0;

	switch (argument(self, 0)) {
	case ARCH_SET_GS: /* the guest's thread areas hang on it */
		return refuse_call(self, -EPERM);
	case ARCH_GET_GS:
		return copy_out(argument(self, 1), &zero, sizeof(zero));
	case ARCH_GET_CPUID:
		return 1; /* as far as the program can tell it does not fault */
	case ARCH_SET_CPUID:
		return refuse_call(self, -ENODEV);
	case ARCH_SHSTK_FIRST ... ARCH_SHSTK_LAST: /* frames for handlers are built without one */
		return refuse_call(self, -EINVAL);
	default:
		return pass_on(self);
	}
}

/* Asynchronous operations complete when the host likes, at an address that the kernel likes. */
long handle_io_setup(struct thread *self)
{
	return refuse_call(self, -ENOSYS);
}

#define DUMPABLE_MOST 1
static int dumpable = 1; /* what an exec of a readable program gives */

static long set_dumpable(struct thread *self)
{
	if (argument(self, 1) > DUMPABLE_MOST)
		return -EINVAL;
	dumpable = (int)argument(self, 1);
	return pass_on(self);
}

/* The filter needs it, so the kernel always says yes. */
static long no_new_privileges(struct thread *self, bool set)
{
	struct facts *facts = facts_of_task(self);

	if (argument(self, 1) != set || argument(self, 2) || argument(self, 3) || argument(self, 4))
		return -EINVAL;
	if (!set)
		return facts->no_new_privileges;
	facts->no_new_privileges = 1;
	return 0;
}

/* Mitigations are the host's; the fixed CPU needs none. */
static long speculation(struct thread *self, bool set)
{
	if (argument(self, 1) > 1)
		return -ENODEV;
	return set ? -ENXIO : 0; /* PR_SPEC_NOT_AFFECTED */
}

/* What depends on the host's CPU or on how its kernel was built has one answer everywhere. */
static long prctl_of_machine(struct thread *self)
{
	switch (argument(self, 0)) {
	case PR_GET_DUMPABLE:
		return dumpable;
	case PR_SET_DUMPABLE:
		return set_dumpable(self);
	case PR_GET_NO_NEW_PRIVS:
		return no_new_privileges(self, false);
	case PR_SET_NO_NEW_PRIVS:
		return no_new_privileges(self, true);
	case PR_GET_SPECULATION_CTRL:
		return speculation(self, false);
	case PR_SET_SPECULATION_CTRL:
		return speculation(self, true);
	case PR_MCE_KILL:
		return 0;
	case PR_MCE_KILL_GET:
		return PR_MCE_KILL_DEFAULT;
	case PR_GET_TID_ADDRESS:
		return -EINVAL;
	case PR_SET_MM:
	case PR_SET_IO_FLUSHER:
	case PR_GET_IO_FLUSHER:
		return -EPERM;
	case PR_SET_PTRACER: { /* Yama's */
		long r = pass_on(self);

		return r == -EINVAL ? 0 : r;
	}
	default:
		return pass_on(self);
	}
}

/* A filter of the program's own would judge the guest's calls: as on a kernel without seccomp. */
long handle_prctl(struct thread *self)
{
	switch (argument(self, 0)) {
	case PR_GET_SECCOMP:
	case PR_SET_SECCOMP:
	case PR_SET_SYSCALL_USER_DISPATCH:
		return refuse_call(self, -EINVAL);
	case PR_SET_CHILD_SUBREAPER:
		clock_owner(self)->adopts = argument(self, 1) != 0;
		return pass_on(self);
	case PR_SET_NAME: {
		long r = pass_on(self);

		manner_by_name(self);
		return r;
	}
	case PR_GET_TSC:
	case PR_SET_TSC:
		return process.relax & RELAX_TIME ? pass_on(self) : tsc_prctl(self);
	default:
		return process.relax & RELAX_PROC ? pass_on(self) : prctl_of_machine(self);
	}
}

long handle_seccomp(struct thread *self)
{
	return refuse_call(self, -ENOSYS);
}

long handle_unshare(struct thread *self)
{
	if (argument(self, 0) & (CLONE_NAMESPACES | CLONE_NEWTIME))
		return refuse_call(self, -EPERM);
	return pass_on(self);
}
