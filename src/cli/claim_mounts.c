#include "cli/claim_mounts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/digest.h"
#include "cli/cache.h"
#include "cli/input_copy.h"
#include "base/json_text.h"
#include "cli/statement.h"

#define DEFAULT_PLACE "/build"

/* What is left out of the copy of one mount. */
struct skip {
	const char *inside;
	json_t *made;	       /* an object, whose keys are what the run made */
	struct digest_own own; /* what is only there now: the statement itself, and Stet's */
};

static bool is_made(const struct skip *skip, const char *path)
{
	cleanup_free char *whole = NULL;
	json_t *text;
	bool made;

	if (asprintf(&whole, "%s%s", skip->inside, path) < 0)
		return false;
	text = json_text(whole);
	made = text && json_object_get(skip->made, json_string_value(text));
	json_decref(text);
	return made;
}

static json_t *keys(const json_t *texts)
{
	json_t *object = json_object(), *item;
	size_t i;

	json_array_foreach(texts, i, item) if (json_is_string(item))
		json_object_set(object, json_string_value(item), json_true());
	return object;
}

static bool skips(void *context, const char *path, const struct stat *status)
{
	const struct skip *skip = context;

	return digest_own_has(&skip->own, status) || is_made(skip, path);
}

/* Takes the mount at `inside` from those that were given; NULL when none was. */
static const char *take_given(struct run_options *options, const char *inside)
{
	for (size_t i = 0; i < options->mount_count; i++) {
		struct box_mount *mount = &options->mounts[i];
		const char *host = mount->host;

		if (!host || strcmp(mount->inside, inside) != 0)
			continue;
		mount->host = NULL;
		return host;
	}
	return NULL;
}

/* Without a word of the caller, it is as in the run: the current directory at /build. */
static const char *find_host(const struct claim *claim, struct run_options *options,
	const struct box_mount *mount, struct error *err)
{
	const char *host = take_given(options, mount->inside);

	if (!host && json_is_null(claim->image) && strcmp(mount->inside, DEFAULT_PLACE) == 0)
		host = getcwd(NULL, 0);
	if (!host)
		error_set(err, 0,
			"%s is about a run with a mount at %s: give it, by --mount DIR:%s",
			claim->file, mount->inside, mount->inside);
	return host;
}

static int copy(const struct claim *claim, struct box_mount *mount, const char *scratch,
	size_t number, struct error *err)
{
	struct skip skip = { .inside = mount->inside };
	const struct input_skip all = { skips, &skip };
	cleanup_free char *cache = cache_directory("code");
	char *path;
	int failed;

	digest_own_add(&skip.own, STDOUT_FILENO);
	digest_own_add(&skip.own, STDERR_FILENO);
	digest_own_add_path(&skip.own, claim->file);
	digest_own_add_path(&skip.own, cache);
	if (asprintf(&path, "%s/%zu", scratch, number) < 0)
		return error_set(err, ENOMEM, "cannot copy %s", mount->host);
	skip.made = keys(claim->made);
	failed = input_copy(mount->host, path, &all, err);
	json_decref(skip.made);
	if (failed) {
		free(path);
		return -1;
	}
	free((char *)mount->host);
	mount->host = path;
	return 0;
}

static int read_mount(
	const struct claim *claim, const json_t *json, struct box_mount *mount, struct error *err)
{
	const char *mode = json_string_value(json_object_get(json, "mode"));

	mount->inside = json_text_read(json_object_get(json, "inside"));
	if (!mount->inside || mount->inside[0] != '/' || !mode ||
		statement_mount_mode(mode, &mount->mode))
		return error_set(err, 0,
			"%s is no statement about a run: a mount of it has no absolute path "
			"inside, or "
			"no mode",
			claim->file);
	return 0;
}

static int check_all_taken(
	const struct claim *claim, const struct run_options *options, struct error *err)
{
	for (size_t i = 0; i < options->mount_count; i++)
		if (options->mounts[i].host)
			return error_set(err, 0, "%s is about a run without a mount at %s",
				claim->file, options->mounts[i].inside);
	return 0;
}

static int make_all(const struct claim *claim, struct run_options *given, struct run_options *made,
	const char *scratch, struct error *err)
{
	size_t i;
	json_t *item;

	json_array_foreach(claim->mounts, i, item)
	{
		struct box_mount *mount = &made->mounts[made->mount_count++];

		if (read_mount(claim, item, mount, err))
			return -1;
		mount->host = find_host(claim, given, mount, err);
		if (!mount->host)
			return -1;
		if (mount->mode == BOX_MOUNT_RW && copy(claim, mount, scratch, i, err))
			return -1;
	}
	return check_all_taken(claim, given, err);
}

int claim_mounts(const struct claim *claim, struct run_options *options, const char *scratch,
	struct error *err)
{
	struct run_options given = { .mounts = options->mounts,
		.mount_count = options->mount_count };
	int failed;

	options->mount_count = 0;
	options->mounts = calloc(json_array_size(claim->mounts) + 1, sizeof(*options->mounts));
	failed = options->mounts ? make_all(claim, &given, options, scratch, err)
				 : error_set(err, ENOMEM, "%s", claim->file);
	run_options_release(&given);
	return failed;
}
