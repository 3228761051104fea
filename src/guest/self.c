/* Calls about the process itself that would take the ground from under the guest. */
#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/tsc.h"

#define ARCH_SET_CPUID	 0x1012
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
	case PR_GET_TSC:
	case PR_SET_TSC:
		return process.relax & RELAX_TIME ? pass_on(self) : tsc_prctl(self);
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

/* The guest's own mappings do not count against the program's limits on memory: the arena and all the
 * rest against its address space, the guest's data and a few threads' areas against its data. */
static uint64_t guest_share(uint64_t resource)
{
	switch (resource) {
	case RLIMIT_AS:
		return ARENA_BYTES + (64ull << 20);
	case RLIMIT_DATA:
		return 4ull << 20;
	default:
		return 0;
	}
}

static uint64_t limit_to_kernel(uint64_t limit, uint64_t share)
{
	return limit < RLIM_INFINITY - share ? limit + share : limit;
}

static uint64_t limit_from_kernel(uint64_t limit, uint64_t share)
{
	return limit != RLIM_INFINITY && limit >= share ? limit - share : limit;
}

static long limit_memory(long pid, uint64_t resource, uint64_t new, uint64_t old)
{
	uint64_t to[2], from[2];
	long r;

	if (new) {
		if (copy_in(to, new, sizeof(to)))
			return -EFAULT;
		to[0] = limit_to_kernel(to[0], guest_share(resource));
		to[1] = limit_to_kernel(to[1], guest_share(resource));
	}
	r = sys_window(__NR_prlimit64, pid, resource, new ? to : NULL, old ? from : NULL);
	if (r || !old)
		return r;
	from[0] = limit_from_kernel(from[0], guest_share(resource));
	from[1] = limit_from_kernel(from[1], guest_share(resource));
	return copy_out(old, from, sizeof(from));
}

long handle_prlimit64(struct thread *self)
{
	if (!guest_share(argument(self, 1)))
		return pass_on(self);
	return limit_memory(
		(long)argument(self, 0), argument(self, 1), argument(self, 2), argument(self, 3));
}

long handle_setrlimit(struct thread *self)
{
	if (!guest_share(argument(self, 0)))
		return pass_on(self);
	return argument(self, 1) ? limit_memory(0, argument(self, 0), argument(self, 1), 0)
				 : -EFAULT;
}

long handle_getrlimit(struct thread *self)
{
	if (!guest_share(argument(self, 0)))
		return pass_on(self);
	return argument(self, 1) ? limit_memory(0, argument(self, 0), 0, argument(self, 1))
				 : -EFAULT;
}
