/*
 * Limits on resources. What a program sees begins with constants, whatever the caller had, and is
 * kept in the arena; the kernel is told too, as far as it lets us, so that it enforces what a
 * program asks for. Two are not enforced: core files, which are the host's to write, and the number
 * of the user's processes, of which some are outside.
 */
#include "guest/facts.h"
#include "guest/handlers.h"
#include "guest/task.h"

#define DESCRIPTORS_MOST 1048576 /* fs.nr_open */

/* The guest's own mappings do not count against the program's limits on memory: the arena and all
 * the rest against its address space, the guest's data and a few threads' areas against its
 * data. */
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

/* The kernel's soft limit follows the program's as far as the hard one, which stays, allows. */
static void tell_kernel(int32_t pid, uint64_t resource, uint64_t soft)
{
	uint64_t real[2];

	if (resource == RLIMIT_CORE || resource == RLIMIT_NPROC)
		return;
	if (sys(__NR_prlimit64, pid, resource, 0, real))
		return;
	soft = limit_to_kernel(soft, guest_share(resource));
	real[0] = soft < real[1] ? soft : real[1];
	sys(__NR_prlimit64, pid, resource, real, 0);
}

static long change(int32_t pid, uint64_t resource, const uint64_t new[2], struct facts *facts)
{
	uint64_t *limit = facts->limits[resource];

	if (new[0] > new[1])
		return -EINVAL;
	if (new[1] > limit[1] || (resource == RLIMIT_NOFILE && new[1] > DESCRIPTORS_MOST))
		return -EPERM;
	limit[0] = new[0];
	limit[1] = new[1];
	tell_kernel(pid, resource, new[0]);
	return 0;
}

/* Somebody who is not ours: the container's init. */
static long no_task(int32_t pid)
{
	return sys(__NR_kill, pid, 0) == -ESRCH ? -ESRCH : -EPERM;
}

static long virtual_limit(
	struct thread *self, int32_t pid, uint64_t resource, uint64_t new, uint64_t old)
{
	struct facts *facts;
	uint64_t to[2], from[2];
	long r = 0;

	if (resource >= LIMITS)
		return -EINVAL;
	if (new &&copy_in(to, new, sizeof(to)))
		return -EFAULT;
	facts = facts_find_process(self, pid);
	if (!facts)
		return no_task(pid);
	memcpy(from, facts->limits[resource], sizeof(from));
	if (new)
		r = change(pid, resource, to, facts);
	if (r == 0 && old)
		r = copy_out(old, from, sizeof(from));
	return r;
}

/* The kernel's own limits, when they are not replaced. */
static long real_limit(long pid, uint64_t resource, uint64_t new, uint64_t old)
{
	uint64_t share = guest_share(resource), to[2], from[2];
	long r;

	if (new) {
		if (copy_in(to, new, sizeof(to)))
			return -EFAULT;
		to[0] = limit_to_kernel(to[0], share);
		to[1] = limit_to_kernel(to[1], share);
	}
	r = sys_window(__NR_prlimit64, pid, resource, new ? to : NULL, old ? from : NULL);
	if (r || !old)
		return r;
	from[0] = limit_from_kernel(from[0], share);
	from[1] = limit_from_kernel(from[1], share);
	return copy_out(old, from, sizeof(from));
}

static long limit(struct thread *self, int32_t pid, uint64_t resource, uint64_t new, uint64_t old)
{
	resource = (uint32_t)resource;
	if (!(process.relax & RELAX_PROC))
		return virtual_limit(self, pid, resource, new, old);
	if (!guest_share(resource))
		return pass_on(self);
	return real_limit(pid, resource, new, old);
}

long handle_prlimit64(struct thread *self)
{
	return limit(self, (int32_t)argument(self, 0), argument(self, 1), argument(self, 2),
		argument(self, 3));
}

long handle_setrlimit(struct thread *self)
{
	return argument(self, 1) ? limit(self, 0, argument(self, 0), argument(self, 1), 0)
				 : -EFAULT;
}

long handle_getrlimit(struct thread *self)
{
	if ((uint32_t)argument(self, 0) < LIMITS && !argument(self, 1))
		return -EFAULT;
	return limit(self, 0, argument(self, 0), 0, argument(self, 1));
}
