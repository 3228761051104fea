#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "bundle/report.h"
#include "bundle/store.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/machine_options.h"
#include "cli/options.h"
#include "cli/pack_json.h"
#include "cli/parameters.h"
#include "cli/values.h"

#define STATUS_DIFFERENT 1
#define LINES_MAX	 20 /* of names that are not in the bundle */
#define USAGE		 "stet rerun [OPTIONS] BUNDLE [-- ARG...]"

struct rerun {
	struct run_options run; /* first: some setters get this */
	const char *extract, *json;
	uint64_t limit;
	char **arguments; /* instead of the packed ones, or NULL */
	struct bundle bundle;
	struct bundle_entry entry;
	char *image, *input, *entropy; /* paths in the entry */
	char **command;
	struct box_owner *owners; /* of the files, for who cannot give them theirs */
	struct box_observer observer;
	struct unknown unknown;
};

static int set_extract(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--extract: must be a directory");
	((struct rerun *)target)->extract = value;
	return 0;
}

static int set_json(void *target, const char *value, struct error *err)
{
	if (!*value || strcmp(value, "-") == 0)
		return error_set(
			err, 0, "--json: must be a file; standard output belongs to the command");
	((struct rerun *)target)->json = value;
	return 0;
}

static int set_limit(void *target, const char *value, struct error *err)
{
	return value_size("--image-limit", value, &((struct rerun *)target)->limit, err);
}

/* Those of `stet run` that change nothing of what the run gives. */
static int set_timeout(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "timeout", value, err);
}

static int set_save(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "save", value, err);
}

static int set_log(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "log", value, err);
}

static int set_stats(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "stats", value, err);
}

static int set_digest(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "digest", value, err);
}

static int set_quiet(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "quiet", value, err);
}

static int set_verbose(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "verbose", value, err);
}

static int set_help(void *target, const char *value, struct error *err)
{
	return run_options_set(target, "help", value, err);
}

static const struct option_row rows[] = {
	{ "extract", 0, "DIR", "unpack BUNDLE into DIR, which is new or empty; nothing runs",
		set_extract },
	{ "image-limit", 0, "SIZE", "how many bytes the files of BUNDLE may have (default 32G)",
		set_limit },
	{ "timeout", 0, "SECONDS", "end the run after this real time, with status 124",
		set_timeout },
	{ "save", 0, "DIR", "write the files that the run created or changed to DIR", set_save },
	{ "digest", 0, NULL, "print the digest, with other arguments too", set_digest },
	{ "stats", 0, NULL, "print what happened, on standard error", set_stats },
	{ "log", 0, "FILE", "write a line per event", set_log },
	{ "json", 0, "FILE", "write the result as JSON", set_json },
	{ "quiet", 'q', NULL, "say nothing but errors", set_quiet },
	{ "verbose", 'v', NULL, "explain", set_verbose },
	{ "help", 'h', NULL, "print this", set_help },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void print_help(void)
{
	printf("usage: " USAGE "\n       stet rerun --extract DIR BUNDLE\n\n"
	       "Runs the command of BUNDLE, which `stet pack` wrote, on the files in it, and says\n"
	       "whether the result is the same. With -- the command gets other arguments.\n\n");
	options_help(rows, ROWS);
}

/* The bundle's name, and perhaps "--" and words. */
static int take_words(struct rerun *rerun, char **words, struct error *err)
{
	if (!words[0])
		return error_set(err, 0, "no bundle; usage: " USAGE);
	if (words[1] && strcmp(words[1], "--") != 0)
		return error_set(
			err, 0, "'%s': other arguments come behind --; usage: " USAGE, words[1]);
	if (words[1])
		rerun->arguments = words + 2;
	return 0;
}

/* Unpacking only. */

static int make_directory(const char *path, struct error *err)
{
	int fd, count = 0;
	struct dirent **names;

	if (mkdir(path, 0755) && errno != EEXIST)
		return error_set(err, errno, "--extract: cannot make %s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "--extract: cannot open %s", path);
	count = scandirat(fd, ".", &names, NULL, NULL);
	for (int i = 0; i < count; i++)
		free(names[i]);
	if (count >= 0)
		free(names);
	if (count == 2)
		return fd;
	close(fd);
	return error_set(
		err, 0, "--extract: %s is not empty; choose an empty or new directory", path);
}

static int extract(struct rerun *rerun, struct error *err)
{
	const struct bundle_how how = { .limit = rerun->limit };
	cleanup_close int dir = -1;

	if (rerun->arguments)
		return error_set(err, 0, "--extract runs nothing: it takes no arguments");
	dir = make_directory(rerun->extract, err);
	return dir < 0 ? -1 : bundle_unpack(&rerun->bundle, dir, &how, err);
}

/* Running. */

static int join(char **path, const char *directory, const char *name, struct error *err)
{
	if (asprintf(path, "%s/%s", directory, name) >= 0)
		return 0;
	*path = NULL;
	return error_set(err, ENOMEM, "%s", name);
}

/* The packed program with its arguments, or with others. */
static int make_command(struct rerun *rerun, struct error *err)
{
	char *const *packed = rerun->bundle.index.command;
	size_t count = 0;

	if (!rerun->arguments) {
		rerun->run.box.command = rerun->bundle.index.command;
		return 0;
	}
	while (rerun->arguments[count])
		count++;
	rerun->command = calloc(count + 2, sizeof(*rerun->command));
	if (!rerun->command)
		return error_set(err, ENOMEM, "the command");
	rerun->command[0] = packed[0];
	memcpy(rerun->command + 1, rerun->arguments, count * sizeof(*rerun->command));
	rerun->run.box.command = rerun->command;
	return 0;
}

static enum box_mount_mode mode_of(const char *mode)
{
	if (strcmp(mode, "ro") == 0)
		return BOX_MOUNT_RO;
	return strcmp(mode, "copy") == 0 ? BOX_MOUNT_COPY : BOX_MOUNT_HELD;
}

static int make_mounts(struct rerun *rerun, struct error *err)
{
	const struct bundle_index *index = &rerun->bundle.index;
	struct run_options *run = &rerun->run;

	run->mounts = calloc(index->mount_count + 1, sizeof(*run->mounts));
	for (size_t i = 0; run->mounts && i < index->mount_count; i++) {
		struct box_mount *mount = &run->mounts[i];
		char *host = NULL;

		run->mount_count++;
		if (asprintf(&host, "%s/" BUNDLE_MOUNTS "/%zu", rerun->entry.path, i) < 0)
			host = NULL;
		mount->host = host;
		mount->inside = strdup(index->mounts[i].place);
		mount->mode = mode_of(index->mounts[i].mode);
		if (!mount->host || !mount->inside)
			return error_set(err, ENOMEM, "mounts");
	}
	return run->mounts ? 0 : error_set(err, ENOMEM, "mounts");
}

/* A command that was fed by a pipe is so again. */
static int make_input(struct rerun *rerun, struct error *err)
{
	const struct bundle_index *index = &rerun->bundle.index;
	int fd;

	if (!index->input.present)
		return 0;
	if (join(&rerun->input, rerun->entry.path, BUNDLE_INPUT, err))
		return -1;
	if (index->input_is_file) {
		rerun->run.box.stdin_path = rerun->input;
		return 0;
	}
	fd = open(rerun->input, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		return error_set(err, errno, "cannot read the input of the bundle");
	close(fd);
	rerun->run.box.stdin_path = "-";
	return 0;
}

static int make_entropy(struct rerun *rerun, struct error *err)
{
	if (!rerun->bundle.index.entropy.present)
		return 0;
	if (join(&rerun->entropy, rerun->entry.path, BUNDLE_ENTROPY, err))
		return -1;
	rerun->run.box.entropy_file = rerun->entropy;
	return 0;
}

static int take_looks(void *context, const struct looks *looks, struct error *err)
{
	struct rerun *rerun = context;

	return unknown_find(&rerun->unknown, &rerun->bundle.index, looks, err);
}

/* Where files could not get their owners, programs are told of them. */
static int adjust(struct run_options *options, struct error *err)
{
	struct rerun *rerun = (struct rerun *)options;
	const struct bundle_index *index = &rerun->bundle.index;
	size_t count = 0;

	if (options->box.own_owners)
		return 0;
	rerun->owners = calloc(index->file_count + 1, sizeof(*rerun->owners));
	if (!rerun->owners)
		return error_set(err, ENOMEM, "the owners of files");
	for (size_t i = 0; i < index->file_count; i++) {
		const struct bundle_file *file = &index->files[i];

		if ((file->uid || file->gid) && index_mount_of(index, file->path) < 0)
			rerun->owners[count++] =
				(struct box_owner){ file->path, file->uid, file->gid };
	}
	options->box.owners = rerun->owners;
	options->box.owner_count = count;
	return 0;
}

/* By the way that statements take: they can name no file of the host. */
static int take_options(struct rerun *rerun, struct error *err)
{
	const struct bundle_index *index = &rerun->bundle.index;
	struct error why;

	if (index->entropy.present)
		rerun->run.box.machine.entropy = ENTROPY_REPLAY;
	rerun->run.box.tty = index->tty;
	if (parameters_take(index->options, &rerun->run, &why))
		return error_set(err, 0, "%s: %s", rerun->bundle.name, why.text);
	return 0;
}

static int prepare(struct rerun *rerun, struct error *err)
{
	const struct bundle_index *index = &rerun->bundle.index;
	struct box_config *box = &rerun->run.box;

	if (make_entropy(rerun, err) || join(&rerun->image, rerun->entry.path, BUNDLE_ROOT, err) ||
		make_command(rerun, err) || make_mounts(rerun, err) || make_input(rerun, err))
		return -1;
	rerun->run.image = rerun->image;
	rerun->run.environment = index_copy_list(index->environment);
	if (!rerun->run.environment)
		return error_set(err, ENOMEM, "the environment");
	box->workdir = index->workdir;
	box->plain = index->plain;
	box->bundled = true;
	box->digest = true;
	box->observer = &rerun->observer;
	return 0;
}

static void say_unknown(const struct unknown *unknown)
{
	for (size_t i = 0; i < unknown->count && i < LINES_MAX; i++)
		say("not in the bundle: %s (%s)", unknown->list[i].path, unknown->list[i].wanted);
	if (unknown->count > LINES_MAX)
		say("not in the bundle: %zu more", unknown->count - LINES_MAX);
}

/* With other arguments there is nothing to compare with. */
static int compare(const struct rerun *rerun, const struct box_result *result)
{
	const char *packed = rerun->bundle.index.digest;

	if (rerun->arguments || !result->digest[0])
		return result->status;
	if (strcmp(packed, result->digest) == 0) {
		if (!rerun->run.quiet)
			say("digest sha256:%s, the same as when it was packed", result->digest);
		return result->status;
	}
	say("digest sha256:%s, but sha256:%s when it was packed: the result is different",
		result->digest, packed);
	return STATUS_DIFFERENT;
}

static int report(struct rerun *rerun, const struct box_result *result, struct error *err)
{
	const struct rerun_outcome outcome = {
		.status = result->status,
		.digest = result->digest,
		.expected = rerun->arguments ? NULL : rerun->bundle.index.digest,
		.unknown = &rerun->unknown,
	};

	rerun->run.digest &= rerun->arguments != NULL || !result->digest[0];
	execute_report(&rerun->run, result);
	say_unknown(&rerun->unknown);
	if (rerun->json && pack_json_rerun(&outcome, rerun->json, err))
		return -1;
	if (!result->digest[0] && !rerun->arguments && !rerun->run.quiet && !rerun->run.digest)
		say("no digest to compare: %s", result->no_digest);
	return compare(rerun, result);
}

static int run(struct rerun *rerun, struct error *err)
{
	cleanup_free char *cache = cache_directory("bundles");
	const struct bundle_how how = {
		.limit = rerun->limit,
		.give = box_has_all_ids(),
		.marks = true,
	};
	struct box_result result = { 0 };

	if (!cache)
		return error_set(
			err, 0, "no place to unpack the bundle to: set XDG_CACHE_HOME or HOME");
	if (take_options(rerun, err) ||
		bundle_entry_open(&rerun->entry, &rerun->bundle, cache, &how, err) ||
		prepare(rerun, err) || execute(&rerun->run, &result, err))
		return -1;
	return report(rerun, &result, err);
}

static int act(struct rerun *rerun, char **argv, struct error *err)
{
	char **words;

	if (options_parse(rows, ROWS, rerun, argv + 1, &words, err))
		return -1;
	if (rerun->run.help) {
		print_help();
		return 0;
	}
	if (take_words(rerun, words, err) || bundle_open(&rerun->bundle, words[0], err))
		return -1;
	return rerun->extract ? extract(rerun, err) : run(rerun, err);
}

static void release(struct rerun *rerun)
{
	execute_release(&rerun->run);
	bundle_entry_close(&rerun->entry);
	bundle_close(&rerun->bundle);
	unknown_release(&rerun->unknown);
	free(rerun->image);
	free(rerun->input);
	free(rerun->entropy);
	free(rerun->command);
	free(rerun->owners);
}

int command_rerun(int argc, char **argv)
{
	struct rerun rerun = {
		.limit = IMAGE_LIMIT_DEFAULT,
		.bundle = { .fd = -1 },
		.entry = { .lock = -1 },
	};
	struct error err;
	int status;

	execute_defaults(&rerun.run);
	rerun.run.box.machine = machine_default();
	rerun.run.adjust = adjust;
	rerun.observer = (struct box_observer){ &rerun, take_looks };
	status = act(&rerun, argv, &err);
	if (status < 0) {
		say("%s", err.text);
		status = err.status;
	}
	release(&rerun);
	return status;
}
