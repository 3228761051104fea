#include "cli/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/digest.h"
#include "image/tree_digest.h"

/* To be filled; NULL with err. */
static struct input *add(
	struct inputs *inputs, const char *kind, const char *inside, struct error *err)
{
	struct input *list = reallocarray(inputs->list, inputs->count + 1, sizeof(*list));
	struct input *input = list ? &list[inputs->count] : NULL;

	if (list) {
		inputs->list = list;
		*input = (struct input){ 0 };
		if (asprintf(&input->name, "%s%s%s", kind, *inside ? ":" : "", inside) < 0)
			input = NULL;
	}
	if (!input) {
		error_set(err, ENOMEM, "--attest");
		return NULL;
	}
	inputs->count++;
	return input;
}

static int digest_file(const char *path, char text[HASH_TEXT], struct error *err)
{
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(
			err, 0, "--attest: %s is no regular file, so it has no digest", path);
	if (fd < 0 || hash_whole(fd, text))
		return error_set(err, errno, "--attest: cannot read %s", path);
	return 0;
}

static int add_mount(struct inputs *inputs, const struct box_mount *mount,
	const struct tree_skip *skip, struct error *err)
{
	cleanup_close int root = open(mount->host, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct input *input = add(inputs, "mount", mount->inside, err);

	if (!input)
		return -1;
	input->tree = root >= 0;
	return input->tree ? tree_digest_input(root, skip, input->digest, err)
			   : digest_file(mount->host, input->digest, err);
}

static int add_file(struct inputs *inputs, const char *kind, const char *path, struct error *err)
{
	struct input *input = add(inputs, kind, "", err);

	return input ? digest_file(path, input->digest, err) : -1;
}

static int add_image(struct inputs *inputs, struct image *image, struct error *err)
{
	struct input *input = add(inputs, "image", "", err);

	if (!input || image_digest(image, err))
		return -1;
	input->tree = true;
	memcpy(input->digest, image->digest, HASH_TEXT);
	return 0;
}

/* Where a file lay on this machine is of no use to others. */
static int add_fetch(struct inputs *inputs, const struct fetch *fetch, struct error *err)
{
	struct input *input = add(inputs, "fetch", fetch->inside, err);

	if (!input)
		return -1;
	memcpy(input->digest, fetch->digest, HASH_TEXT);
	if (strncasecmp(fetch->shown, "file:", 5) == 0)
		return 0;
	input->uri = strdup(fetch->shown);
	return input->uri ? 0 : error_set(err, ENOMEM, "--attest");
}

/* Files of Stet's own that may lie in a mount. */

static bool is_own(void *context, const struct stat *status)
{
	return digest_own_has(context, status);
}

static void list_own(struct digest_own *own, const struct box_config *box)
{
	digest_own_add(own, STDOUT_FILENO);
	digest_own_add(own, STDERR_FILENO);
	digest_own_add_path(own, box->save);
	digest_own_add_path(own, box->log);
	digest_own_add_path(own, box->cache);
	if (box->machine.entropy == ENTROPY_RECORD)
		digest_own_add_path(own, box->entropy_file);
	for (const char *const *path = box->own_files; path && *path; path++)
		digest_own_add_path(own, *path);
}

static int add_mounts(struct inputs *inputs, const struct box_config *box, struct error *err)
{
	struct digest_own own = { 0 };
	const struct tree_skip skip = { is_own, &own };

	list_own(&own, box);
	for (size_t i = 0; i < box->mount_count; i++)
		if (add_mount(inputs, &box->mounts[i], &skip, err))
			return -1;
	return 0;
}

static int add_streams(struct inputs *inputs, const struct box_config *box, struct error *err)
{
	if (box->stdin_path && strcmp(box->stdin_path, "-") == 0)
		return error_set(err, 0,
			"--attest names what the command reads by its digest: give it as a file, "
			"by --stdin FILE");
	if (box->stdin_path && add_file(inputs, "stdin", box->stdin_path, err))
		return -1;
	return box->machine.entropy == ENTROPY_REPLAY
		       ? add_file(inputs, "entropy", box->entropy_file, err)
		       : 0;
}

int inputs_take(struct inputs *inputs, struct run_options *options, struct error *err)
{
	if (options->image && add_image(inputs, &options->files, err))
		return -1;
	for (size_t i = 0; i < options->fetches.count; i++)
		if (add_fetch(inputs, &options->fetches.list[i], err))
			return -1;
	if (add_mounts(inputs, &options->box, err))
		return -1;
	return add_streams(inputs, &options->box, err);
}

const struct input *inputs_find(const struct inputs *inputs, const char *name)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (strcmp(inputs->list[i].name, name) == 0)
			return &inputs->list[i];
	return NULL;
}

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		free(inputs->list[i].name);
		free(inputs->list[i].uri);
	}
	free(inputs->list);
}
