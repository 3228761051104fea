#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "base/file_text.h"
#include "bundle/pack.h"
#include "bundle/unpack.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/machine_options.h"
#include "cli/options.h"
#include "cli/pack_json.h"
#include "cli/parameters.h"

struct pack {
	struct run_options run; /* first: setters of rows get this */
	const char *output, *json;
	bool list;
	struct packing packing;
	struct box_observer observer;
	int input; /* what the command is fed, or -1 */
	char *cache;
};

static int set_output(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--output: must be a file");
	((struct pack *)target)->output = value;
	return 0;
}

static int set_list(void *target, const char *value, struct error *err)
{
	((struct pack *)target)->list = true;
	return 0;
}

static int set_json(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--json: must be a file, or -");
	((struct pack *)target)->json = value;
	return 0;
}

static const struct option_row own[] = {
	{ "output", 'o', "BUNDLE", "the file to write", set_output },
	{ "list", 0, NULL, "list what BUNDLE holds; nothing runs", set_list },
	{ "json", 0, "FILE", "write what was packed, or with --list the bundle's index", set_json },
};
#define OWN	  (sizeof(own) / sizeof(own[0]))
#define TABLE_MAX 64
#define USAGE	  "stet pack -o BUNDLE [OPTIONS] [--] COMMAND [ARG...]"

/* Its own, and those of `stet run`, apart from what is written about a run in other forms. */
static size_t make_table(struct option_row table[TABLE_MAX])
{
	size_t of_run, count = OWN;
	const struct option_row *rows = run_options_rows(&of_run);

	memcpy(table, own, sizeof(own));
	for (size_t i = 0; i < of_run && count < TABLE_MAX; i++)
		if (strcmp(rows[i].name, "json") != 0 && strcmp(rows[i].name, "attest") != 0)
			table[count++] = rows[i];
	return count;
}

static void print_help(void)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);

	printf("usage: " USAGE "\n       stet pack --list BUNDLE\n\n"
	       "Runs COMMAND as 'stet run' does, and writes every file that it looked at, its\n"
	       "options and the digest of its result into BUNDLE, for 'stet rerun'.\n\n");
	options_help(table, count);
}

/* What the command reads from standard input goes along. */

static bool is_own_input(const struct box_config *box)
{
	return box->stdin_path && strcmp(box->stdin_path, "-") == 0;
}

/* Of Stet's own file, what is left of it; of a pipe, what the command is fed. */
static int copy_rest(int to)
{
	char buffer[65536];
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	ssize_t n;

	while ((n = pread(STDIN_FILENO, buffer, sizeof(buffer), at)) > 0) {
		if (write(to, buffer, (size_t)n) != n)
			return -1;
		at += n;
	}
	return n < 0 ? -1 : 0;
}

static int open_input(struct pack *pack, struct error *err)
{
	struct box_config *box = &pack->run.box;
	struct stat status;

	if (!box->stdin_path)
		return 0;
	if (is_own_input(box) && box->tty)
		return error_set(
			err, 0, "a run that is typed into (--tty --stdin -) cannot be packed");
	if (!is_own_input(box)) {
		pack->input = open(box->stdin_path, O_RDONLY | O_CLOEXEC);
		if (pack->input < 0 || fstat(pack->input, &status))
			return error_set(err, errno, "--stdin: cannot read %s", box->stdin_path);
		if (S_ISREG(status.st_mode)) {
			pack->packing.index.input_is_file = true;
			return 0;
		}
		close(pack->input);
	}
	pack->input = memfd_create("stet-input", MFD_CLOEXEC);
	if (pack->input < 0)
		return error_set(err, errno, "--stdin");
	if (is_own_input(box) && fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
		return copy_rest(pack->input) ? error_set(err, errno, "--stdin") : 0;
	box->input_copy = pack->input;
	return 0;
}

/* Mounts that are written through are held back: their first state is what is packed. */
static int adjust(struct run_options *options, struct error *err)
{
	struct pack *pack = (struct pack *)options;
	struct box_config *box = &options->box;

	for (size_t i = 0; i < options->mount_count; i++)
		if (options->mounts[i].mode == BOX_MOUNT_RW)
			options->mounts[i].mode = BOX_MOUNT_HELD;
	box->write_back = true;
	box->digest = true;
	box->observer = &pack->observer;
	pack->packing.keep_times = box->relax & RELAX_MTIME;
	if (open_input(pack, err))
		return -1;
	return packing_begin(&pack->packing, err);
}

static int compare_owner(const void *path, const void *owner)
{
	return strcmp(path, ((const struct box_owner *)owner)->path);
}

/* As programs see it: guest/owners.c. Mounts belong to the container's user, whoever that is. */
static void tell_owner(void *context, struct bundle_file *file, const struct stat *status)
{
	const struct box_config *box = &((struct pack *)context)->run.box;
	const struct box_owner *owner = NULL;

	if (box->image && box->own_owners) {
		file->uid = status->st_uid;
		file->gid = status->st_gid;
		return;
	}
	if (box->owner_count)
		owner = bsearch(
			file->path, box->owners, box->owner_count, sizeof(*owner), compare_owner);
	file->uid = owner ? owner->uid : 0;
	file->gid = owner ? owner->gid : 0;
}

static int tell_mounts(struct pack *pack, const struct looks *looks, struct error *err)
{
	static const char *const modes[] = {
		[BOX_MOUNT_RW] = "rw",
		[BOX_MOUNT_RO] = "ro",
		[BOX_MOUNT_COPY] = "copy",
		[BOX_MOUNT_HELD] = "rw",
	};
	const struct run_options *run = &pack->run;
	struct bundle_index *index = &pack->packing.index;

	index->mounts = calloc(run->mount_count + 1, sizeof(*index->mounts));
	for (size_t i = 0; index->mounts && i < run->mount_count; i++) {
		struct bundle_mount *mount = &index->mounts[index->mount_count++];
		struct stat status;

		mount->place = looks->places[i] ? strdup(looks->places[i]) : NULL;
		mount->mode = strdup(modes[run->mounts[i].mode]);
		mount->directory =
			stat(run->mounts[i].host, &status) == 0 && S_ISDIR(status.st_mode);
		if (!mount->place || !mount->mode)
			return error_set(err, ENOMEM, "mounts");
	}
	return index->mounts ? 0 : error_set(err, ENOMEM, "mounts");
}

static char *find_start(const struct looks *looks)
{
	for (size_t i = 0; i < looks->count; i++)
		if (looks->list[i].kinds & LOOK_START)
			return strdup(looks->list[i].path);
	return NULL;
}

static int take_looks(void *context, const struct looks *looks, struct error *err)
{
	struct pack *pack = context;
	struct packing *packing = &pack->packing;
	struct bundle_index *index = &packing->index;

	index->command = index_copy_list(pack->run.box.command);
	index->environment = index_copy_list(pack->run.box.environment);
	index->plain = index_copy_list(looks->plain);
	index->workdir = find_start(looks);
	if (!index->workdir && !(index->workdir = strdup(pack->run.box.workdir)))
		return error_set(err, ENOMEM, "--workdir");
	if (!index->command || !index->environment || !index->plain)
		return error_set(err, ENOMEM, "the command");
	index->options = parameters_tell(&pack->run);
	index->tty = pack->run.box.tty;
	if (!index->options)
		return error_set(err, ENOMEM, "the options");
	if (tell_mounts(pack, looks, err))
		return -1;
	if (pack->input >= 0 &&
		packing_add_bytes(packing, BUNDLE_INPUT, pack->input, &index->input, err))
		return -1;
	return packing_add_looks(packing, looks, err);
}

static int add_entropy(struct pack *pack, struct error *err)
{
	const char *file = pack->run.box.entropy_file;
	cleanup_close int fd = -1;

	if (!file)
		return 0;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "--entropy: cannot read %s", file);
	return packing_add_bytes(
		&pack->packing, BUNDLE_ENTROPY, fd, &pack->packing.index.entropy, err);
}

static int finish(struct pack *pack, const struct box_result *result, struct error *err)
{
	struct packing *packing = &pack->packing;
	struct bundle_index *index = &packing->index;
	uint64_t bytes;

	if (!result->digest[0]) {
		say("no bundle was written: %s", result->no_digest);
		return result->status;
	}
	snprintf(index->digest, sizeof(index->digest), "%s", result->digest);
	index->status = result->status;
	if (add_entropy(pack, err) || packing_finish(packing, &bytes, err))
		return -1;
	if (pack->run.box.verbose)
		say("packed %zu files, %" PRIu64 " bytes into %s (%" PRIu64 " bytes)",
			packing->content_count, packing->content_bytes, pack->output, bytes);
	if (pack->json && pack_json_packed(packing, bytes, pack->json, err))
		return -1;
	return result->status;
}

static int run(struct pack *pack, struct error *err)
{
	struct box_result result = { 0 };

	if (!pack->output)
		return error_set(err, 0, "no bundle to write; usage: " USAGE);
	if (pack->json && strcmp(pack->json, "-") == 0)
		return error_set(
			err, 0, "--json: must be a file; standard output belongs to the command");
	pack->packing.name = pack->output;
	pack->packing.cache = pack->cache = cache_directory("contents");
	if (execute(&pack->run, &result, err))
		return -1;
	execute_report(&pack->run, &result);
	return finish(pack, &result, err);
}

/* Kind, size and path of each; of names that were looked for in vain, only that. */
static void print_list(const struct bundle_index *index)
{
	size_t missing = 0;

	for (size_t i = 0; i < index->file_count || missing < index->missing_count;) {
		const struct bundle_file *file = i < index->file_count ? &index->files[i] : NULL;
		const char *none = missing < index->missing_count ? index->missing[missing] : NULL;

		if (!file || (none && strcmp(none, file->path) < 0)) {
			printf("%-9s %-9s %10s ", "missing", "-", "-");
			file_text_name(stdout, none);
			missing++;
		} else {
			printf("%-9s %-9s %10" PRIu64 " ", bundle_states[file->state],
				bundle_types[file->type], file->size);
			file_text_name(stdout, file->path);
			i++;
		}
		putchar('\n');
	}
}

static int list(struct pack *pack, struct error *err)
{
	char **words = pack->run.box.command;
	struct bundle bundle;
	int failed;

	if (!words[0] || words[1])
		return error_set(err, 0, "usage: stet pack --list BUNDLE");
	failed = bundle_open(&bundle, words[0], err);
	if (!failed && pack->json)
		failed = pack_json_index(&bundle.index, pack->json, err);
	else if (!failed)
		print_list(&bundle.index);
	bundle_close(&bundle);
	if (!failed && fflush(stdout))
		failed = error_set(err, errno, "cannot write the list");
	return failed;
}

static int act(struct pack *pack, struct error *err)
{
	if (pack->run.help) {
		print_help();
		return 0;
	}
	return pack->list ? list(pack, err) : run(pack, err);
}

static int read_options(struct pack *pack, char **argv, struct error *err)
{
	struct option_row table[TABLE_MAX];
	size_t count = make_table(table);
	char **rest;

	pack->run.box.machine = machine_default();
	if (options_parse(table, count, pack, argv + 1, &rest, err))
		return -1;
	if (!pack->list)
		return run_options_settle(&pack->run, rest, err);
	pack->run.box.command = rest;
	return 0;
}

int command_pack(int argc, char **argv)
{
	struct pack pack = {
		.input = -1,
		.packing = { .spool = -1, .file = NEW_FILE_NONE, .owner = tell_owner },
	};
	struct error err;
	int status = -1;

	execute_defaults(&pack.run);
	pack.run.adjust = adjust;
	pack.packing.owner_context = &pack;
	pack.observer = (struct box_observer){ &pack, take_looks };
	if (read_options(&pack, argv, &err) == 0)
		status = act(&pack, &err);
	if (status < 0) {
		say("%s", err.text);
		status = err.status;
	}
	packing_release(&pack.packing);
	free(pack.cache);
	if (pack.input >= 0)
		close(pack.input);
	execute_release(&pack.run);
	return status;
}
