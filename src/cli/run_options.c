#include "cli/run_options.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/values.h"

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

static const struct option_row rows[] = {
	{ "workdir", 'C', "DIR", "working directory inside (default /build)", set_workdir },
	{ "mount", 0, "HOST[:INSIDE][:ro|rw|copy]",
		"show a host directory or file; rw writes through, copy is private\n"
		"                            (the current directory is at /build, rw)",
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
	{ "relax", 0, "LIST",
		"sources left native, by name, or all: time random pid inode mtime\n"
		"                            dirents order threads cpu address proc env net",
		set_relax },
	{ "stats", 0, NULL, "print what happened, on standard error", set_stats },
	{ "log", 0, "FILE", "write a line per event", set_log },
	{ "quiet", 'q', NULL, "say nothing but errors", set_quiet },
	{ "verbose", 'v', NULL, "explain", set_verbose },
	{ "help", 'h', NULL, "print this", set_help },
	{ "image", 0, "DIR|TAR|OCI-DIR", "", NULL },
	{ "epoch", 0, "TIME", "", NULL },
	{ "time", 0, "warp|stop|host", "", NULL },
	{ "seed", 0, "N", "", NULL },
	{ "entropy", 0, "KIND", "", NULL },
	{ "cpu", 0, "MODEL", "", NULL },
	{ "cpus", 0, "N", "", NULL },
	{ "memory", 0, "SIZE", "", NULL },
	{ "kernel", 0, "RELEASE", "", NULL },
	{ "timers", 0, "KIND", "", NULL },
	{ "fetch", 0, "URL#sha256=HEX:INSIDE", "", NULL },
	{ "digest", 0, NULL, "", NULL },
	{ "attest", 0, "FILE", "", NULL },
	{ "json", 0, "FILE", "", NULL },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

int run_options_read(struct run_options *options, char **argv, struct error *err)
{
	char **rest;

	if (options_parse(rows, ROWS, options, argv + 1, &rest, err))
		return -1;
	options->box.command = rest;
	if (!*rest && !options->help)
		return error_set(
			err, 0, "no command; usage: stet run [OPTIONS] [--] COMMAND [ARG...]");
	return 0;
}

void run_options_help(void)
{
	printf("usage: stet run [OPTIONS] [--] COMMAND [ARG...]\n\n"
	       "Runs COMMAND in a container.\n\n");
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
}
