#include "cli/pack_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/values.h"

#define NSEC	   1000000000
#define TEXT_BYTES 256

static const char *const cpus[] = {
	[CPU_X86_64_V2] = "x86-64-v2",
	[CPU_X86_64] = "x86-64",
	[CPU_X86_64_V3] = "x86-64-v3",
	[CPU_HOST] = "host",
};

static void tell_user(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%u:%u", box->uid, box->gid);
}

static void tell_hostname(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", box->hostname);
}

static void tell_epoch(const struct box_config *box, char text[TEXT_BYTES])
{
	const struct machine *machine = &box->machine;

	snprintf(text, TEXT_BYTES, "@%" PRId64 ".%09u", machine->epoch, machine->epoch_nsec);
}

static void tell_time(const struct box_config *box, char text[TEXT_BYTES])
{
	const struct machine *machine = &box->machine;

	if (machine->time == TIME_STOP)
		snprintf(text, TEXT_BYTES, "stop");
	else
		snprintf(text, TEXT_BYTES, "warp:%" PRIu64 ".%09" PRIu64, machine->step / NSEC,
			machine->step % NSEC);
}

static void tell_seed(const struct box_config *box, char text[TEXT_BYTES])
{
	uint64_t seed;

	memcpy(&seed, box->machine.seed, sizeof(seed));
	snprintf(text, TEXT_BYTES, "%" PRIu64, seed);
}

/* What was recorded goes along, and is replayed. */
static void tell_entropy(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", box->machine.entropy == ENTROPY_HOST ? "host" : "seed");
}

static void tell_cpu(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", cpus[box->machine.cpu]);
}

static void tell_cpus(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%u", box->machine.cpus);
}

static void tell_memory(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%" PRIu64, box->machine.memory);
}

static void tell_kernel(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", box->machine.kernel);
}

static void tell_timers(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s",
		box->machine.timers == TIMERS_INSTANT ? "instant" : "logical");
}

static void tell_net(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", box->net == BOX_NET_NONE ? "none" : "loopback");
}

static void tell_relax(const struct box_config *box, char text[TEXT_BYTES])
{
	value_relax_tell(box->relax, text, TEXT_BYTES);
}

/* Empty texts are left out. A bundle can set no others: it must not name files of the host. */
static const struct {
	const char *name;
	void (*tell)(const struct box_config *box, char text[TEXT_BYTES]);
} known[] = {
	{ "user", tell_user },
	{ "hostname", tell_hostname },
	{ "epoch", tell_epoch },
	{ "time", tell_time },
	{ "seed", tell_seed },
	{ "entropy", tell_entropy },
	{ "cpu", tell_cpu },
	{ "cpus", tell_cpus },
	{ "memory", tell_memory },
	{ "kernel", tell_kernel },
	{ "timers", tell_timers },
	{ "net", tell_net },
	{ "relax", tell_relax },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))
#define TTY   "tty" /* has no value */

static int add(struct bundle_index *index, const char *name, const char *value, struct error *err)
{
	struct bundle_option *option = &index->options[index->option_count++];

	option->name = strdup(name);
	option->value = strdup(value);
	return option->name && option->value ? 0 : error_set(err, ENOMEM, "options");
}

int pack_options_tell(
	struct bundle_index *index, const struct run_options *options, struct error *err)
{
	index->options = calloc(KNOWN + 2, sizeof(*index->options));
	if (!index->options)
		return error_set(err, ENOMEM, "options");
	for (size_t i = 0; i < KNOWN; i++) {
		char text[TEXT_BYTES];

		known[i].tell(&options->box, text);
		if (text[0] && add(index, known[i].name, text, err))
			return -1;
	}
	return options->box.tty ? add(index, TTY, "", err) : 0;
}

static bool is_known(const struct bundle_option *option)
{
	if (strcmp(option->name, TTY) == 0)
		return !option->value[0];
	if (strcmp(option->name, "entropy") == 0 && strchr(option->value, ':'))
		return false;
	for (size_t i = 0; i < KNOWN; i++)
		if (strcmp(option->name, known[i].name) == 0)
			return true;
	return false;
}

int pack_options_take(
	const struct bundle_index *index, struct run_options *options, struct error *err)
{
	for (size_t i = 0; i < index->option_count; i++) {
		const struct bundle_option *option = &index->options[i];

		if (!is_known(option))
			return error_set(err, 0,
				"the bundle has the option %s %s, which this version does not know",
				option->name, option->value);
		if (run_options_set(options, option->name, option->value, err))
			return -1;
	}
	return 0;
}

char **pack_options_copy(char *const *list)
{
	size_t count = 0;
	char **copy;

	while (list[count])
		count++;
	copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = strdup(list[i]);
	return copy;
}
