#include "cli/machine_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "arena/layout.h"
#include "cli/run_options.h"
#include "cli/values.h"

struct machine machine_default(void)
{
	return (struct machine){
		.epoch = MACHINE_EPOCH_DEFAULT,
		.step = MACHINE_STEP_DEFAULT,
		.cpus = 1,
		.memory = MACHINE_MEMORY_DEFAULT,
		.kernel = MACHINE_KERNEL_DEFAULT,
		.domain = MACHINE_DOMAIN_DEFAULT,
	};
}

/* The specification at reproducible-builds.org: decimal seconds. */
int machine_take_source_date(struct machine *machine, struct error *err)
{
	const char *value = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;

	if (!value)
		return 0;
	if (value_number("SOURCE_DATE_EPOCH", value, 1, EPOCH_MAX, &seconds, err))
		return -1;
	machine->epoch = (int64_t)seconds;
	return 0;
}

int set_epoch(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	options->has_epoch = true;
	return value_epoch("--epoch", value, &options->box.machine, err);
}

int set_time(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;
	struct machine *machine = &options->box.machine;
	double step;

	if (strcmp(value, "stop") == 0) {
		machine->time = TIME_STOP;
	} else if (strcmp(value, "host") == 0) {
		options->relax |= RELAX_TIME;
	} else if (strcmp(value, "warp") == 0) {
		machine->time = TIME_WARP;
	} else if (strncmp(value, "warp:", 5) == 0 && value_seconds(value + 5, &step, err) == 0 &&
		   step >= 1e-9 && step <= 86400) {
		machine->time = TIME_WARP;
		machine->step = (uint64_t)(step * 1e9 + 0.5);
	} else {
		return error_set(err, 0,
			"--time %s: must be warp, warp:SECONDS (from 1e-9 to 86400), stop or host",
			value);
	}
	return 0;
}

int set_seed(void *target, const char *value, struct error *err)
{
	struct machine *machine = &((struct run_options *)target)->box.machine;
	uint64_t seed;

	if (value_number("--seed", value, 0, UINT64_MAX, &seed, err))
		return -1;
	memcpy(machine->seed, &seed, sizeof(seed));
	return 0;
}

static const char *const entropies[] = {
	[ENTROPY_SEED] = "seed",
	[ENTROPY_HOST] = "host",
	[ENTROPY_RECORD] = "record",
	[ENTROPY_REPLAY] = "replay",
};

const char *machine_entropy_name(uint32_t entropy)
{
	return entropies[entropy];
}

int set_entropy(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;
	size_t length = strcspn(value, ":");

	for (uint32_t i = 0; i < sizeof(entropies) / sizeof(entropies[0]); i++) {
		bool with_file = i == ENTROPY_RECORD || i == ENTROPY_REPLAY;

		if (strlen(entropies[i]) != length || strncmp(value, entropies[i], length) != 0 ||
			(with_file ? !value[length] || !value[length + 1] : value[length]))
			continue;
		options->box.machine.entropy = i;
		options->box.entropy_file = with_file ? value + length + 1 : NULL;
		return 0;
	}
	return error_set(
		err, 0, "--entropy %s: must be seed, host, record:FILE or replay:FILE", value);
}

static const char *const cpus[] = {
	[CPU_X86_64_V2] = "x86-64-v2",
	[CPU_X86_64] = "x86-64",
	[CPU_X86_64_V3] = "x86-64-v3",
	[CPU_HOST] = "host",
};

const char *machine_cpu_name(uint32_t cpu)
{
	return cpus[cpu];
}

int set_cpu(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	for (uint32_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		if (strcmp(value, cpus[i]) != 0)
			continue;
		options->box.machine.cpu = i;
		return 0;
	}
	return error_set(err, 0, "--cpu %s: must be x86-64, x86-64-v2, x86-64-v3 or host", value);
}

int set_cpus(void *target, const char *value, struct error *err)
{
	uint64_t count;

	if (value_number("--cpus", value, 1, MACHINE_CPUS_MAX, &count, err))
		return -1;
	((struct run_options *)target)->box.machine.cpus = (uint32_t)count;
	return 0;
}

int set_memory(void *target, const char *value, struct error *err)
{
	uint64_t *memory = &((struct run_options *)target)->box.machine.memory;

	if (value_size("--memory", value, memory, err))
		return -1;
	if (*memory < 16ull << 20 || *memory > 64ull << 40)
		return error_set(err, 0, "--memory %s: must be from 16M to 64T", value);
	return 0;
}

int set_kernel(void *target, const char *value, struct error *err)
{
	struct machine *machine = &((struct run_options *)target)->box.machine;
	unsigned major, minor;
	size_t length = 0;

	while (isgraph((unsigned char)value[length]))
		length++;
	if (!isdigit((unsigned char)*value) || sscanf(value, "%u.%u", &major, &minor) != 2 ||
		value[length] || length >= sizeof(machine->kernel))
		return error_set(
			err, 0, "--kernel %s: must be a release of Linux, as 5.10.0", value);
	snprintf(machine->kernel, sizeof(machine->kernel), "%s", value);
	return 0;
}

int set_timers(void *target, const char *value, struct error *err)
{
	struct machine *machine = &((struct run_options *)target)->box.machine;

	if (strcmp(value, "logical") == 0)
		machine->timers = TIMERS_LOGICAL;
	else if (strcmp(value, "instant") == 0)
		machine->timers = TIMERS_INSTANT;
	else
		return error_set(err, 0, "--timers %s: must be logical or instant", value);
	return 0;
}
