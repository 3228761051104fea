/* What other parts of the guest answer, as far as they are not there yet. */
#ifndef STET_GUEST_STANDINS_H
#define STET_GUEST_STANDINS_H

#include "guest/process.h"
#include "guest/sys.h"
#include "guest/text.h"

#if __has_include("arena/cpu_model.h")
#include "arena/cpu_model.h"
#else
struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};
static inline struct cpuid cpu_model_cpuid(
	const struct machine *machine, uint32_t leaf, uint32_t subleaf)
{
	struct cpuid a;

	(void)machine;
	__asm__ volatile("cpuid"
			 : "=a"(a.eax), "=b"(a.ebx), "=c"(a.ecx), "=d"(a.edx)
			 : "a"(leaf), "c"(subleaf));
	return a;
}
#define CPU_MODEL_HZ 1000000000ull
#endif

#if __has_include("guest/random.h")
#include "guest/random.h"
#else
static inline void random_uuid(struct thread *self, char text[37])
{
	(void)self;
	text_put(text, "00000000-0000-4000-8000-000000000001");
}
static inline void random_boot_id(char text[37])
{
	text_put(text, "00000000-0000-4000-8000-000000000000");
}
#endif

/* What getrlimit shows. */
static inline void limits_of(int32_t pid, uint32_t resource, uint64_t limits[2])
{
	sys(__NR_prlimit64, pid, resource, 0, limits);
}

#define ORDINARY_MAJOR 0u /* of the device that all ordinary files show */
#define ORDINARY_MINOR 1u

/* What stat shows as this file's number. */
static inline uint64_t inode_number(struct thread *self, uint64_t device, uint64_t inode)
{
	(void)self, (void)device;
	return inode;
}

#endif
