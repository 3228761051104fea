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

static int set_image_limit(void *target, const char *value, struct error *err)
{
	return value_size(
		"--image-limit", value, &((struct run_options *)target)->image_limit, err);
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

int run_options_mount(struct run_options *options, const char *host, const char *inside,
	enum box_mount_mode mode, struct error *err)
{
	struct box_mount *mounts =
		reallocarray(options->mounts, options->mount_count + 1, sizeof(*mounts));
	struct box_mount *mount;

	if (!mounts)
		return error_set(err, ENOMEM, "--mount");
	options->mounts = mounts;
	mount = &mounts[options->mount_count++];
	*mount = (struct box_mount){ strdup(host), strdup(inside), mode };
	return mount->host && mount->inside ? 0 : error_set(err, ENOMEM, "--mount");
}

int run_options_assign(struct run_options *options, const char *assignment, struct error *err)
{
	char **list =
		reallocarray(options->assignments, options->assignment_count + 1, sizeof(*list));

	if (!list)
		return error_set(err, ENOMEM, "--env");
	options->assignments = list;
	list[options->assignment_count] = strdup(assignment);
	if (!list[options->assignment_count])
		return error_set(err, ENOMEM, "--env");
	options->assignment_count++;
	return 0;
}

static int set_fetch(void *target, const char *value, struct error *err)
{
	return fetches_add(&((struct run_options *)target)->fetches, value, err);
}

static int set_fetch_limit(void *target, const char *value, struct error *err)
{
	uint64_t *limit = &((struct run_options *)target)->fetches.limit;

	if (value_size("--fetch-limit", value, limit, err))
		return -1;
	return *limit ? 0 : error_set(err, 0, "--fetch-limit 0: must be a byte or more");
}

static int set_env(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;
	size_t length = strcspn(value, "=");
	const char *passed = value[length] ? value + length + 1 : getenv(value);
	cleanup_free char *assignment = NULL;

	if (length == 0)
		return error_set(err, 0, "--env %s: must be NAME or NAME=VALUE", value);
	if (!passed)
		return 0; /* a variable that is not set cannot be passed on */
	if (asprintf(&assignment, "%.*s=%s", (int)length, value, passed) < 0)
		return error_set(err, ENOMEM, "--env");
	return run_options_assign(options, assignment, err);
}

static int set_user(void *target, const char *value, struct error *err)
{
	struct run_options *options = target;

	options->has_user = true;
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
		return error_set(err, 0,
			"--save: must be a directory, or a file that ends in .tar, .tar.gz or "
			".tar.zst");
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

static int set_attest(void *target, const char *value, struct error *err)
{
	if (!*value || strcmp(value, "-") == 0)
		return error_set(err, 0, "--attest: must be a file");
	((struct run_options *)target)->attest = value;
	return 0;
}

static int set_json(void *target, const char *value, struct error *err)
{
	if (!*value || strcmp(value, "-") == 0)
		return error_set(
			err, 0, "--json: must be a file; standard output belongs to the command");
	((struct run_options *)target)->json = value;
	return 0;
}

static const struct option_row rows[] = {
	{ "image", 0, "DIR|TAR|OCI",
		"what to start from as the root, never changed: a directory, a tar, an\n"
		"                            OCI layout, or an image of 'stet image' (default: "
		"this\n"
		"                            machine's /, below a private layer)",
		set_image },
	{ "image-limit", 0, "SIZE", "bytes that an unpacked image may have (default 32G)",
		set_image_limit },
	{ "workdir", 'C', "DIR", "working directory inside (default /build)", set_workdir },
	{ "mount", 0, "HOST[:INSIDE][:ro|rw|copy]",
		"show a host directory or file; rw writes through, copy is private\n"
		"                            (without --image, the current directory is at /build, "
		"rw)",
		set_mount },
	{ "fetch", 0, "URL#sha256=HEX:INSIDE",
		"download a file before the start, by http, https or file; a wrong\n"
		"                            checksum is an error and nothing runs",
		set_fetch },
	{ "fetch-limit", 0, "SIZE", "how large each of them may be (default 4G)", set_fetch_limit },
	{ "env", 'e', "NAME[=VALUE]", "set an environment variable, or pass it on", set_env },
	{ "user", 0, "UID[:GID]", "identity inside (default 0:0)", set_user },
	{ "hostname", 0, "NAME", "host name inside (default stet)", set_hostname },
	{ "net", 0, "none|loopback", "network inside (default loopback)", set_net },
	{ "stdin", 0, "none|FILE|-", "standard input (default none); - is Stet's own", set_stdin },
	{ "tty", 0, NULL, "give the command a terminal, of 80 columns and 24 lines", set_tty },
	{ "timeout", 0, "SECONDS", "end the run after this real time, with status 124",
		set_timeout },
	{ "save", 0, "DIR|FILE.tar",
		"write the files that the run created or changed; .tar, .tar.gz and\n"
		"                            .tar.zst are layers of OCI images",
		set_save },
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
	{ "attest", 0, "FILE",
		"write an in-toto statement: inputs, options, outputs, by their digests",
		set_attest },
	{ "json", 0, "FILE", "write the result as JSON", set_json },
	{ "stats", 0, NULL, "print what happened, on standard error", set_stats },
	{ "log", 0, "FILE", "write a line per event", set_log },
	{ "quiet", 'q', NULL, "say nothing but errors", set_quiet },
	{ "verbose", 'v', NULL, "explain", set_verbose },
	{ "help", 'h', NULL, "print this", set_help },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* With both native nobody sees the epoch, and what the caller's variable says is the command's
 * affair. */
#define NEEDS_NO_EPOCH ((uint32_t)(RELAX_TIME | RELAX_MTIME))

int run_options_read(struct run_options *options, char **argv, struct error *err)
{
	char **rest;

	options->box.machine = machine_default();
	if (options_parse(rows, ROWS, options, argv + 1, &rest, err))
		return -1;
	return run_options_settle(options, rest, err);
}

int run_options_settle(struct run_options *options, char **rest, struct error *err)
{
	options->box.command = rest;
	if (!options->has_epoch && (options->relax & NEEDS_NO_EPOCH) != NEEDS_NO_EPOCH &&
		machine_take_source_date(&options->box.machine, err))
		return -1;
	return options->help || options->image ? 0 : run_options_need_command(options, err);
}

int run_options_need_command(const struct run_options *options, struct error *err)
{
	if (*options->box.command)
		return 0;
	return error_set(err, 0, "no command; usage: stet run [OPTIONS] [--] COMMAND [ARG...]");
}

int run_options_set(
	struct run_options *options, const char *name, const char *value, struct error *err)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].set(options, value, err);
	return error_set(err, 0, "unknown option --%s", name);
}

const struct option_row *run_options_rows(size_t *count)
{
	*count = ROWS;
	return rows;
}

int run_options_copy(struct run_options *copy, const struct run_options *options, struct error *err)
{
	*copy = *options;
	copy->mounts = NULL;
	copy->assignments = NULL;
	copy->mount_count = copy->assignment_count = 0;
	copy->fetches = (struct fetches){ 0 };
	copy->files = (struct image){ .lock = -1 };
	copy->owners = (struct image_owners){ 0 };
	copy->image_command = NULL;
	for (size_t i = 0; i < options->mount_count; i++)
		if (run_options_mount(copy, options->mounts[i].host, options->mounts[i].inside,
			    options->mounts[i].mode, err))
			return -1;
	for (size_t i = 0; i < options->assignment_count; i++)
		if (run_options_assign(copy, options->assignments[i], err))
			return -1;
	return 0;
}

void run_options_help(void)
{
	printf("usage: stet run [OPTIONS] [--] COMMAND [ARG...]\n\n"
	       "Runs COMMAND in a reproducible container: the same command on the same files "
	       "gives\n"
	       "the same result, every time and on every machine.\n\n");
	options_help(rows, ROWS);
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
	free(options->image_command);
	fetches_release(&options->fetches);
}
