#include "cli/run_options.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "cli/machine_options.h"
#include "cli/options.h"
#include "cli/values.h"

static int set_image(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--image: must be a directory, a tar or an OCI layout");
	((struct run_options *)target)->image = value;
	return 0;
}

static int set_workdir(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	if (value[0] != '/')
		return error_set(err, 0, "--workdir %s: must be an absolute path inside", value);
	options->box.workdir = value;
	return 0;
}

static int set_mount(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;
	struct box_mount *mounts =
		reallocarray(options->mounts, options->mount_count + 1, sizeof(*mounts));

	if (!mounts)
		return error_set(err, ENOMEM, "--mount");
	options->mounts = mounts;
	mounts[options->mount_count] = (struct box_mount){ 0 };
	return value_mount(value, &mounts[options->mount_count++], err);
}

static int set_env(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;
	size_t length = strcspn(value, "=");
	const char *passed = value[length] ? value + length + 1 : getenv(value);
	char **list;

	if (length == 0)
		return error_set(err, 0, "--env %s: must be NAME or NAME=VALUE", value);
	if (!passed)
		return 0; /* a variable that is not set cannot be passed on */
	list = reallocarray(options->assignments, options->assignment_count + 1, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "--env");
	options->assignments = list;
	if (asprintf(&list[options->assignment_count], "%.*s=%s", (int)length, value, passed) < 0)
		return error_set(err, ENOMEM, "--env");
	options->assignment_count++;
	return 0;
}

static int set_user(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	return value_user(value, &options->box.uid, &options->box.gid, err);
}

static int set_hostname(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	options->box.hostname = value;
	return value_hostname(value, err);
}

static int set_net(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	if (strcmp(value, "loopback") == 0)
		options->box.net = BOX_NET_LOOPBACK;
	else if (strcmp(value, "none") == 0)
		options->box.net = BOX_NET_NONE;
	else
		return error_set(err, 0, "--net %s: must be none or loopback", value);
	return 0;
}

static int set_stdin(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	if (!*value)
		return error_set(err, 0, "--stdin: must be none, a file, or - for Stet's own");
	options->box.stdin_path = strcmp(value, "none") ? value : NULL;
	return 0;
}

static int set_tty(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->box.tty = true;
	return 0;
}

static int set_timeout(void *target, const char *value, struct error *err)
{
	return value_seconds(value, &((struct run_options *)target)->box.timeout, err);
}

static int set_save(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--save: must be a directory");
	((struct run_options *)target)->box.save = value;
	return 0;
}

static int set_relax(void *target, const char *value, struct error *err)
{
	return value_relax(value, &((struct run_options *)target)->relax, err);
}

static int set_strict_order(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->box.strict = true;
	return 0;
}

static int set_stats(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->box.stats = true;
	return 0;
}

static int set_log(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--log: must be a file");
	((struct run_options *)target)->box.log = value;
	return 0;
}

static int set_quiet(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->quiet = true;
	return 0;
}

static int set_verbose(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->box.verbose = true;
	return 0;
}

static int set_help(void *target, const char *value, struct error *err)
{
	((struct run_options *)target)->help = true;
	return 0;
}

static int set_digest(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	options->digest = options->box.digest = true;
	return 0;
}

static const struct option_row rows[] = {
	{ "image", 0, "DIR",
		"a directory to start from as the root, never changed (default: this\n"
		"                            machine's /, below a private layer)",
		set_image },
	{ "workdir", 'C', "DIR", "working directory inside (default /build)", set_workdir },
	{ "mount", 0, "HOST[:INSIDE][:ro|rw|copy]",
		"show a host directory or file; rw writes through, copy is private\n"
		"                            (without --image, the current directory is at /build, "
		"rw)",
		set_mount },
	{ "env", 'e', "NAME[=VALUE]", "set an environment variable, or pass it on", set_env },
	{ "user", 0, "UID[:GID]", "identity inside (default 0:0)", set_user },
	{ "hostname", 0, "NAME", "host name inside (default stet)", set_hostname },
	{ "net", 0, "none|loopback", "network inside (default loopback)", set_net },
	{ "stdin", 0, "none|FILE|-", "standard input (default none); - is Stet's own", set_stdin },
	{ "tty", 0, NULL, "give the command a terminal, of 80 columns and 24 lines", set_tty },
	{ "timeout", 0, "SECONDS", "end the run after this real time, with status 124",
		set_timeout },
	{ "save", 0, "DIR", "write the files that the run created or changed to DIR", set_save },
	{ "epoch", 0, "TIME",
		"what the clock shows at the start: @SECONDS or ISO 8601\n"
		"                            (default SOURCE_DATE_EPOCH if set, else "
		"1993-08-08T22:00:00Z)",
		set_epoch },
	{ "time", 0, "warp[:STEP]|stop|host",
		"logical time, at least STEP seconds per look; always the epoch; or\n"
		"                            the host's (default warp)",
		set_time },
	{ "seed", 0, "N", "all randomness derives from it (default 0)", set_seed },
	{ "entropy", 0, "seed|host|record:FILE|replay:FILE",
		"where randomness comes from (default seed)", set_entropy },
	{ "cpu", 0, "x86-64|x86-64-v2|x86-64-v3|host",
		"the CPU that programs see (default x86-64-v2)", set_cpu },
	{ "cpus", 0, "N", "how many of them (default 1)", set_cpus },
	{ "memory", 0, "SIZE", "how much memory programs see (default 4G)", set_memory },
	{ "kernel", 0, "RELEASE", "what uname reports (default 5.10.0)", set_kernel },
	{ "timers", 0, "logical|instant",
		"when alarms and timers fire: at their logical time, or as soon as\n"
		"                            they are armed (default logical)",
		set_timers },
	{ "relax", 0, "LIST",
		"sources left native, by name, or all: time random pid inode mtime\n"
		"                            dirents order threads cpu address proc env net",
		set_relax },
	{ "strict-order", 0, NULL,
		"let nothing run ahead of its turn (default: what could be wrong is\n"
		"                            started again in strict order)",
		set_strict_order },
	{ "digest", 0, NULL, "print a digest of status, output and final files at the end",
		set_digest },
	{ "stats", 0, NULL, "print what happened, on standard error", set_stats },
	{ "log", 0, "FILE", "write a line per event", set_log },
	{ "quiet", 'q', NULL, "say nothing but errors", set_quiet },
	{ "verbose", 'v', NULL, "explain", set_verbose },
	{ "help", 'h', NULL, "print this", set_help },
	{ "fetch", 0, "URL#sha256=HEX:INSIDE", "", NULL },
	{ "attest", 0, "FILE", "", NULL },
	{ "json", 0, "FILE", "", NULL },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* With both native nobody sees the epoch, and what the caller's variable says is the command's
 * affair. */
#define NEEDS_NO_EPOCH ((uint32_t)(RELAX_TIME | RELAX_MTIME))

#define USAGE	       "stet run [OPTIONS] [--] COMMAND [ARG...]"

/* The rows of both, in a list to be freed. */
static struct option_row *join_rows(const struct run_extension *extension, size_t *count)
{
	size_t more = extension ? extension->row_count : 0;
	struct option_row *all = calloc(ROWS + more, sizeof(*all));

	if (!all)
		return NULL;
	if (more)
		memcpy(all, extension->rows, more * sizeof(*all));
	memcpy(all + more, rows, sizeof(rows));
	*count = ROWS + more;
	return all;
}

int run_options_read(struct run_options *options, const struct run_extension *extension,
	char **argv, struct error *err)
{
	size_t count = 0;
	cleanup_free struct option_row *all = join_rows(extension, &count);
	char **rest;

	options->box.machine = machine_default();
	if (!all)
		return error_set(err, ENOMEM, "options");
	if (options_parse(all, count, options, argv + 1, &rest, err))
		return -1;
	options->box.command = rest;
	if (!options->has_epoch && (options->relax & NEEDS_NO_EPOCH) != NEEDS_NO_EPOCH &&
		machine_take_source_date(&options->box.machine, err))
		return -1;
	return 0;
}

int run_options_set(
	struct run_options *options, const char *name, const char *value, struct error *err)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0 && rows[i].set)
			return rows[i].set(options, value, err);
	return error_set(err, 0, "unknown option --%s", name);
}

int run_options_need_command(
	const struct run_options *options, const char *usage, struct error *err)
{
	if (*options->box.command || options->help)
		return 0;
	return error_set(err, 0, "no command; usage: %s", usage ? usage : USAGE);
}

void run_options_help(const struct run_extension *extension)
{
	size_t count = 0;
	cleanup_free struct option_row *all = join_rows(extension, &count);

	printf("usage: %s\n\n%s\n\n", extension ? extension->usage : USAGE,
		extension ? extension->summary
			  : "Runs COMMAND in a reproducible container: the same command on the "
			    "same files gives\nthe same result, every time and on every machine.");
	if (all)
		options_help(all, count);
}

void run_options_release(struct run_options *options)
{
	for (size_t i = 0; i < options->mount_count; i++) {
		free((char *)options->mounts[i].host);
		free((char *)options->mounts[i].inside);
	}
	free(options->mounts);
	for (size_t i = 0; i < options->assignment_count; i++)
		free(options->assignments[i]);
	free(options->assignments);
}
