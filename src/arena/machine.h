/*
 * The one machine that programs see, as the options of a run describe it. Filled on the host's
 * side, constant while the container runs; nothing else of the outside may decide what a program
 * sees.
 */
#ifndef STET_ARENA_MACHINE_H
#define STET_ARENA_MACHINE_H

#include <stdint.h>

#define MACHINE_EPOCH_DEFAULT  744847200 /* 1993-08-08T22:00:00Z */
#define MACHINE_STEP_DEFAULT   1000	 /* ns: how far a look at the clock moves it */
#define MACHINE_MEMORY_DEFAULT (4ull << 30)
#define MACHINE_KERNEL_DEFAULT "5.10.0"
#define MACHINE_DOMAIN_DEFAULT "(none)" /* as after boot */
#define MACHINE_NAME_BYTES     65	/* of struct utsname's fields */
#define MACHINE_CPUS_MAX       1024

enum machine_time {
	TIME_WARP, /* logical time */
	TIME_STOP, /* always the epoch */
};

enum machine_entropy {
	ENTROPY_SEED,	/* derived from the seed */
	ENTROPY_HOST,	/* the kernel's */
	ENTROPY_RECORD, /* the kernel's, and logged */
	ENTROPY_REPLAY, /* as logged */
};

enum machine_cpu { CPU_X86_64_V2, CPU_X86_64, CPU_X86_64_V3, CPU_HOST };

enum machine_timers { TIMERS_LOGICAL, TIMERS_INSTANT };

struct machine {
	int64_t epoch;	     /* seconds since 1970: what the clock shows at the start */
	uint32_t epoch_nsec; /* and nanoseconds */
	uint32_t time;	     /* enum machine_time; `host` is RELAX_TIME */
	uint64_t step;	     /* ns */
	uint8_t seed[32];    /* key of all randomness */
	uint32_t entropy;    /* enum machine_entropy */
	uint32_t cpu;	     /* enum machine_cpu; `host` is RELAX_CPU too */
	uint32_t cpus;
	uint32_t timers; /* enum machine_timers */
	uint64_t memory; /* bytes */
	uint32_t uid, gid;
	char kernel[MACHINE_NAME_BYTES];
	char hostname[MACHINE_NAME_BYTES];
	char domain[MACHINE_NAME_BYTES]; /* as NIS knows it */
};

#endif
