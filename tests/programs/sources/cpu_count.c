/* The number of CPUs, and which of them runs the program, by every call that tells.
 * Does not differ natively: not in every two runs; only the CPU at hand does. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void show_mask(const char *what)
{
	unsigned char mask[128];
	long bytes;

	memset(mask, 0xaa, sizeof(mask));
	bytes = syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask);
	printf("%s: %ld bytes, first %02x, behind %02x\n", what, bytes, mask[0], mask[8]);
}

static void set_mask(const char *what, unsigned long mask)
{
	long r = syscall(SYS_sched_setaffinity, 0, sizeof(mask), &mask);

	printf("%s: %s\n", what, r ? strerrorname_np(errno) : "taken");
}

/* Where it runs changes natively, and the time stamp counter's auxiliary register says so. */
static void show_place(void)
{
	unsigned cpu = 77, node = 77;

	syscall(SYS_getcpu, &cpu, &node, NULL);
	printf("getcpu: CPU %u, node %u; sched_getcpu %d\n", cpu, node, sched_getcpu());
}

int main(void)
{
	struct timespec slice;
	unsigned a, b, c, d;
	struct sched_param param = { 77 };

	printf("sysconf: %ld online\n", sysconf(_SC_NPROCESSORS_ONLN));
	show_mask("affinity");
	set_mask("CPU 0", 1);
	set_mask("CPU 5", 32);
	set_mask("CPUs 0 and 1", 3);
	show_mask("affinity");
	show_place();
	__cpuid_count(0xb, 1, a, b, c, d);
	printf("cpuid: %u logical, id %u\n", b & 0xffff, d);
	printf("rseq: %s\n", syscall(SYS_rseq, NULL, 0, 0, 0) ? strerrorname_np(errno) : "there");
	printf("membarrier: %lx\n", syscall(SYS_membarrier, 0, 0, 0));
	sched_getparam(0, &param);
	sched_rr_get_interval(0, &slice);
	printf("policy %d, priority %d, slice %ld ns\n", sched_getscheduler(0),
		param.sched_priority, slice.tv_nsec);
	return 0;
}
