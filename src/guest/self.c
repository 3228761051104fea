/* Calls about the process itself that would take the ground from under the guest. */
#include "guest/handlers.h"
#include "guest/process.h"

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
	case ARCH_SET_CPUID:
		return refuse_call(self, -ENODEV);
	case ARCH_SHSTK_FIRST ... ARCH_SHSTK_LAST: /* frames for handlers are built without one */
		return refuse_call(self, -EINVAL);
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
	default:
		return pass_on(self);
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
