#include "cli/image_config.h"

#include <errno.h>
#include <stdlib.h>

#include "image/users.h"

static size_t count(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static int use_command(struct run_options *options, struct error *err)
{
	const struct image_config *config = &options->files.config;
	size_t first = count(config->entrypoint), second = count(config->command);
	char **words = calloc(first + second + 1, sizeof(*words));

	if (!words)
		return error_set(err, ENOMEM, "--image %s", options->image);
	for (size_t i = 0; i < first; i++)
		words[i] = config->entrypoint[i];
	for (size_t i = 0; i < second; i++)
		words[first + i] = config->command[i];
	options->image_command = words;
	options->box.command = words;
	return 0;
}

int image_config_use(struct run_options *options, struct error *err)
{
	const struct image_config *config = &options->files.config;
	struct box_config *box = &options->box;

	if (!*box->command && use_command(options, err))
		return -1;
	if (!box->workdir && config->workdir) {
		box->workdir = config->workdir;
		box->make_workdir = true;
	}
	if (!options->has_user && config->user)
		return image_user_find(
			options->files.root, config->user, &box->uid, &box->gid, err);
	return 0;
}
