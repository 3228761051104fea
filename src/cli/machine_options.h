/* The options that describe the machine which programs see: its clock, randomness, CPUs, memory. */
#ifndef STET_CLI_MACHINE_OPTIONS_H
#define STET_CLI_MACHINE_OPTIONS_H

#include "arena/machine.h"
#include "cli/options.h"

/* Without any option. */
struct machine machine_default(void);
/* Takes the epoch from SOURCE_DATE_EPOCH, if it is set. */
int machine_take_source_date(struct machine *machine, struct error *err);

/* In the words of --cpu, and of --entropy without its file. */
const char *machine_cpu_name(uint32_t cpu);
const char *machine_entropy_name(uint32_t entropy);

/* For rows of options; `target` is a struct run_options. */
option_setter set_epoch, set_time, set_seed, set_entropy, set_cpu, set_cpus, set_memory, set_kernel,
	set_timers;

#endif
