#include "cli/parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_text.h"
#include "cli/machine_options.h"
#include "cli/values.h"

#define NSEC	   1000000000
#define TEXT_BYTES 256

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
	int n = snprintf(text, TEXT_BYTES, "@%" PRId64, machine->epoch);

	if (machine->epoch_nsec)
		snprintf(text + n, TEXT_BYTES - (size_t)n, ".%09u", machine->epoch_nsec);
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

static void tell_entropy(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", machine_entropy_name(box->machine.entropy));
}

static void tell_cpu(const struct box_config *box, char text[TEXT_BYTES])
{
	snprintf(text, TEXT_BYTES, "%s", machine_cpu_name(box->machine.cpu));
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

static const struct {
	const char *name;
	void (*tell)(const struct box_config *box, char text[TEXT_BYTES]);
	bool may_be_empty;
} parameters[] = {
	{ "user", tell_user, false },
	{ "hostname", tell_hostname, false },
	{ "epoch", tell_epoch, false },
	{ "time", tell_time, false },
	{ "seed", tell_seed, false },
	{ "entropy", tell_entropy, false },
	{ "cpu", tell_cpu, false },
	{ "cpus", tell_cpus, false },
	{ "memory", tell_memory, false },
	{ "kernel", tell_kernel, false },
	{ "timers", tell_timers, false },
	{ "net", tell_net, false },
	{ "relax", tell_relax, true },
};
#define PARAMETERS (sizeof(parameters) / sizeof(parameters[0]))

json_t *parameters_tell(const struct run_options *options)
{
	json_t *object = json_object();
	char text[TEXT_BYTES];

	for (size_t i = 0; i < PARAMETERS && object; i++) {
		parameters[i].tell(&options->box, text);
		if (json_object_set_new(object, parameters[i].name, json_text(text)) == 0)
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

/* A record of randomness has no name in a statement. */
static int take_entropy(const char *text, struct run_options *options, struct error *err)
{
	bool recorded = strcmp(text, "record") == 0 || strcmp(text, "replay") == 0;

	if (strchr(text, ':')) /* it would be a file of whoever takes it */
		return error_set(err, 0, "its randomness comes from '%s'", text);
	if (!recorded)
		return run_options_set(options, "entropy", text, err);
	if (options->box.machine.entropy == ENTROPY_REPLAY)
		return 0;
	return error_set(err, 0,
		"the randomness of this run was recorded: give the record, by --entropy "
		"replay:FILE");
}

static int take_one(const char *name, const char *text, bool may_be_empty,
	struct run_options *options, struct error *err)
{
	if (!text)
		return error_set(err, 0, "its options have no '%s', or it is no text", name);
	if (!*text && may_be_empty)
		return 0;
	if (strcmp(name, "entropy") == 0)
		return take_entropy(text, options, err);
	return run_options_set(options, name, text, err);
}

int parameters_take(const json_t *object, struct run_options *options, struct error *err)
{
	for (size_t i = 0; i < PARAMETERS; i++) {
		const char *text = json_string_value(json_object_get(object, parameters[i].name));

		if (take_one(parameters[i].name, text, parameters[i].may_be_empty, options, err))
			return -1;
	}
	if (json_object_size(object) != PARAMETERS)
		return error_set(err, 0, "it has options that this version does not know");
	return 0;
}
