/* The one machine, as system calls show it: its names, memory and CPUs (arena/machine.h). */
#include "guest/clock.h"
#include "guest/facts.h"
#include "guest/handlers.h"

#define PERSONALITY_ASK	   0xffffffffu
#define PERSONALITY_MASK   0xff
#define PERSONALITY_32_BIT 8 /* PER_LINUX32: all that it does to us is another name */

struct kernel_utsname {
	char sysname[MACHINE_NAME_BYTES], nodename[MACHINE_NAME_BYTES], release[MACHINE_NAME_BYTES],
		version[MACHINE_NAME_BYTES], machine[MACHINE_NAME_BYTES],
		domainname[MACHINE_NAME_BYTES];
};

static void put(char *to, const char *text)
{
	memcpy(to, text, strlen(text) + 1);
}

long handle_uname(struct thread *self)
{
	bool old = (facts_of_process(self)->personality & PERSONALITY_MASK) == PERSONALITY_32_BIT;
	struct kernel_utsname names = { 0 };

	put(names.sysname, "Linux");
	put(names.nodename, machine()->hostname);
	put(names.release, machine()->kernel);
	put(names.version, "#1 SMP");
	put(names.machine, old ? "i686" : "x86_64");
	put(names.domainname, machine()->domain);
	return copy_out(argument(self, 0), &names, sizeof(names));
}

struct kernel_sysinfo {
	uint64_t uptime, loads[3];
	uint64_t totalram, freeram, sharedram, bufferram, totalswap, freeswap;
	uint16_t procs, pad;
	uint64_t totalhigh, freehigh;
	uint32_t unit;
};
_Static_assert(sizeof(struct kernel_sysinfo) == 112, "struct sysinfo");

#define PROCESSES 2 /* init and the command */

/* Of time and memory one may be the host's. */
long handle_sysinfo(struct thread *self)
{
	struct kernel_sysinfo info = {
		.totalram = machine()->memory,
		.freeram = machine()->memory / 4 * 3,
		.bufferram = machine()->memory / 64,
		.procs = PROCESSES,
		.unit = 1,
	};
	struct kernel_sysinfo host = { 0 };

	if (process.relax & (RELAX_PROC | RELAX_TIME))
		sys(__NR_sysinfo, &host);
	if (process.relax & RELAX_PROC)
		info = host;
	info.uptime = process.relax & RELAX_TIME ? host.uptime
						 : clock_uptime(clock_look(self)) / NSEC_PER_SEC;
	return copy_out(argument(self, 0), &info, sizeof(info));
}

long handle_getcpu(struct thread *self)
{
	const uint32_t zero = 0;

	for (int i = 0; i < 2; i++)
		if (argument(self, i) && copy_out(argument(self, i), &zero, sizeof(zero)))
			return -EFAULT;
	return 0;
}

/* Bytes of the kernel's masks of CPUs. */
static uint64_t mask_bytes(void)
{
	return (machine()->cpus + 63) / 64 * 8;
}

long handle_sched_getaffinity(struct thread *self)
{
	uint32_t bytes = (uint32_t)argument(self, 1);
	const struct facts *facts;

	if ((uint64_t)bytes * 8 < machine()->cpus || bytes % 8)
		return -EINVAL;
	facts = facts_find_task(self, (int32_t)argument(self, 0));
	if (!facts)
		return -ESRCH;
	if (bytes > mask_bytes())
		bytes = (uint32_t)mask_bytes();
	return copy_out(argument(self, 2), facts->affinity, bytes) ? -EFAULT : (long)bytes;
}

/* Remembered, no more: on which CPU a task runs has no effect on what it does. */
long handle_sched_setaffinity(struct thread *self)
{
	uint64_t mask[MACHINE_CPUS_MAX / 64] = { 0 }, any = 0;
	uint64_t bytes = (uint32_t)argument(self, 1);
	struct facts *facts;

	if (copy_in(mask, argument(self, 2), bytes < mask_bytes() ? bytes : mask_bytes()))
		return -EFAULT;
	facts = facts_find_task(self, (int32_t)argument(self, 0));
	if (!facts)
		return -ESRCH;
	for (uint32_t i = 0; i < MACHINE_CPUS_MAX; i++)
		if (i >= machine()->cpus)
			mask[i / 64] &= ~(1ull << i % 64);
	for (uint32_t i = 0; i < MACHINE_CPUS_MAX / 64; i++)
		any |= mask[i];
	if (!any)
		return -EINVAL;
	memcpy(facts->affinity, mask, sizeof(mask));
	return 0;
}

/* Kept here, since the kernel acts on it at an exec, and Stet has it changed itself. */
long handle_personality(struct thread *self)
{
	struct facts *facts = facts_of_process(self);
	uint32_t before = facts->personality, new = (uint32_t)argument(self, 0);

	if (new != PERSONALITY_ASK)
		facts->personality = new;
	return before;
}

/* Memory is on one node, and a kernel that knows of no others has none of their calls. */
long handle_memory_nodes(struct thread *self)
{
	return refuse_call(self, -ENOSYS);
}

#define MEMBARRIER_KNOWN                                                                           \
	0x7full /* GLOBAL to REGISTER_PRIVATE_EXPEDITED_SYNC_CORE; not those for rseq */

long handle_membarrier(struct thread *self)
{
	uint32_t command = (uint32_t)argument(self, 0);

	if (argument(self, 1) & 0xffffffff)
		return -EINVAL;
	if (command == 0)
		return MEMBARRIER_KNOWN;
	return (command & ~MEMBARRIER_KNOWN) || (command & (command - 1)) ? -EINVAL : pass_on(self);
}
