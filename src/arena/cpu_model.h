/*
 * The CPUs that a run can have: what `cpuid` and `xgetbv` answer, as functions of the machine and
 * of nothing else. Each has what its level of the psABI names, and nothing that shows the host: no
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
/* Where the time stamp counter is read: in logical time by the guest, or on the host's CPU. */
enum cpu_counter { COUNTER_LOGICAL, COUNTER_HOSTS };
/* Has a CPU that answers so all instructions of the machine's? */
bool cpu_model_fits(const struct machine *machine, enum cpu_counter counter,
	struct cpuid (*host)(uint32_t leaf, uint32_t subleaf));
/* XCR0, as `xgetbv` shows it. */
uint64_t cpu_model_xcr0(const struct machine *machine);
/* The auxiliary vector's AT_HWCAP and AT_HWCAP2. */
uint64_t cpu_model_hwcap(const struct machine *machine);
uint64_t cpu_model_hwcap2(const struct machine *machine);

/* Components of extended state: bits of XCR0. */
#define XSTATE_LEGACY	   3ull /* x87, SSE */
#define XSTATE_AVX	   4ull

#define CPU_MODEL_PLATFORM "x86_64" /* AT_PLATFORM */
#define CPU_MODEL_VENDOR   "GenuineIntel"
#define CPU_MODEL_HZ	   1000000000ull /* of the time stamp counter */

/* AT_MINSIGSTKSZ: room for a frame with AVX-512, the most that a program can make a host put there
 * against the model; AMX has to be asked for, and is refused. */
#define CPU_MODEL_MINSIGSTKSZ 4096

#endif
