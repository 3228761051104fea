/*
 * The CPUs that a run can have: what `cpuid` and `xgetbv` answer, as functions of the machine and of
 * nothing else. Each has what its level of the psABI names, and nothing that shows the host: no
 * hypervisor, no random numbers, no transactions. Freestanding: guest and host both use it.
 */
#ifndef STET_ARENA_CPU_MODEL_H
#define STET_ARENA_CPU_MODEL_H

#include <stdbool.h>

#include "arena/machine.h"

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};

/* One answer of `cpuid`. The machine's cpu is not CPU_HOST. */
struct cpuid cpu_model_cpuid(const struct machine *machine, uint32_t leaf, uint32_t subleaf);
/* Has a CPU that answers so all instructions of the machine's? */
bool cpu_model_fits(
	const struct machine *machine, struct cpuid (*host)(uint32_t leaf, uint32_t subleaf));
/* XCR0, as `xgetbv` shows it. */
uint64_t cpu_model_xcr0(const struct machine *machine);
/* The auxiliary vector's AT_HWCAP and AT_HWCAP2. */
uint64_t cpu_model_hwcap(const struct machine *machine);
uint64_t cpu_model_hwcap2(const struct machine *machine);

#define CPU_MODEL_PLATFORM "x86_64" /* AT_PLATFORM */
#define CPU_MODEL_VENDOR   "GenuineIntel"
#define CPU_MODEL_HZ	   1000000000ull /* of the time stamp counter */

/*
 * Room for extended state in a frame for a signal handler: what AVX-512 with protection keys needs,
 * the most that any host puts there as long as nobody asks for AMX. Frames have it on every host, so
 * that a handler's stack lies at one address; AT_MINSIGSTKSZ is such a frame with some room.
 */
#define CPU_MODEL_FPSTATE     2752
#define CPU_MODEL_MINSIGSTKSZ 4096

#endif
