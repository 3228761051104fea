#include "cli/statement.h"

#include <stdio.h>
#include <string.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "base/json_text.h"
#include "cli/listing.h"
#include "cli/parameters.h"
#include "image/tar.h"

static const char *const mount_modes[] = {
	[BOX_MOUNT_RW] = "rw",
	[BOX_MOUNT_RO] = "ro",
	[BOX_MOUNT_COPY] = "copy",
};

int statement_mount_mode(const char *name, enum box_mount_mode *mode)
{
	for (int i = 0; i < (int)(sizeof(mount_modes) / sizeof(mount_modes[0])); i++) {
		if (strcmp(name, mount_modes[i]) != 0)
			continue;
		*mode = i;
		return 0;
	}
	return -1;
}

/* Without memory the list becomes NULL, and so does what is made of it. */
static void append(json_t **list, json_t *item)
{
	if (json_array_append_new(*list, item) == 0)
		return;
	json_decref(*list);
	*list = NULL;
}

/* What came out. */

static json_t *subject(json_t *name, const char *digest, const char *media)
{
	json_t *json = json_pack("{s:o, s:{s:s}}", "name", name, "digest", "sha256", digest);

	if (json && media)
		json_object_set_new(json, "mediaType", json_string(media));
	return json;
}

/* A regular file that the run made or changed. */
static bool is_output(const struct listed *file)
{
	return file->type == 'f' && file->hash[0] && file->deed != BOX_FOUND;
}

/* The tar of --save, whatever its name is. */
static json_t *saved(const struct run_options *options, const struct box_result *result)
{
	char name[32];

	snprintf(name, sizeof(name), "layer%s", tar_suffix(options->box.save));
	return subject(json_string(name), result->saved, NULL);
}

json_t *statement_subjects(const struct run_options *options, const struct box_result *result)
{
	json_t *list = json_array();
	const char *listing = result->listing;
	struct listed file = { 0 };
	int more;

	append(&list, subject(json_string("result"), result->digest, STATEMENT_RESULT));
	append(&list, subject(json_string("stdout"), result->output[0].hash, NULL));
	append(&list, subject(json_string("stderr"), result->output[1].hash, NULL));
	if (result->saved[0])
		append(&list, saved(options, result));
	while ((more = listing_next(&listing, &file)) > 0)
		if (is_output(&file))
			append(&list, subject(json_text(file.path), file.hash, NULL));
	if (more == 0)
		return list;
	json_decref(list);
	return NULL;
}

static bool is_in_rw_mount(const struct box_config *box, const char *path)
{
	for (size_t i = 0; i < box->mount_count; i++) {
		size_t length = strlen(box->mounts[i].inside);

		if (box->mounts[i].mode == BOX_MOUNT_RW &&
			strncmp(path, box->mounts[i].inside, length) == 0 && path[length] == '/')
			return true;
	}
	return false;
}

/* Whether the directory that it lies in is in the list. */
static bool is_below(const json_t *directories, const char *path)
{
	cleanup_free char *parent = strdup(path);
	json_t *text;
	bool found;

	if (!parent)
		return false;
	*strrchr(parent, '/') = '\0';
	text = json_text(parent);
	found = json_object_get(directories, json_string_value(text)) != NULL;
	json_decref(text);
	return found;
}

/* What the run made in mounts that are written through, so that who runs it again in the same place
 * knows what was not there. What lies in a new directory is not named. */
static json_t *made(const struct box_config *box, const char *listing)
{
	json_t *list = json_array(), *directories = json_object(), *text;
	struct listed file = { 0 };
	int more;

	while ((more = listing_next(&listing, &file)) > 0) {
		if (file.deed != BOX_MADE || !is_in_rw_mount(box, file.path))
			continue;
		text = json_text(file.path);
		if (!is_below(directories, file.path))
			append(&list, json_incref(text));
		if (file.type == 'd')
			json_object_set(directories, json_string_value(text), json_true());
		json_decref(text);
	}
	json_decref(directories);
	if (more == 0)
		return list;
	json_decref(list);
	return NULL;
}

/* What went in. */

static json_t *texts(char *const *list)
{
	json_t *array = json_array();

	for (; *list; list++)
		append(&array, json_text(*list));
	return array;
}

static json_t *mounts(const struct box_config *box)
{
	json_t *array = json_array();

	for (size_t i = 0; i < box->mount_count; i++)
		append(&array, json_pack("{s:o, s:s}", "inside", json_text(box->mounts[i].inside),
				       "mode", mount_modes[box->mounts[i].mode]));
	return array;
}

/* What the host's is in it is nobody else's affair. */
static json_t *environment(const struct run_options *options)
{
	json_t *array;

	if (!(options->box.relax & RELAX_ENV))
		return texts(options->box.environment);
	array = json_array();
	for (size_t i = 0; i < options->assignment_count; i++)
		append(&array, json_text(options->assignments[i]));
	return array;
}

static json_t *external_parameters(const struct run_options *options, const struct inputs *inputs)
{
	const struct box_config *box = &options->box;
	const struct input *image = inputs_find(inputs, "image");
	char digest[HASH_TEXT + 8];

	snprintf(digest, sizeof(digest), "sha256:%s", image ? image->digest : "");
	return json_pack("{s:o, s:o, s:o, s:o, s:s?, s:s, s:b, s:s?, s:o}", "command",
		texts(box->command), "environment", environment(options), "workdir",
		json_text(box->workdir), "mounts", mounts(box), "image", image ? digest : NULL,
		"stdin", box->stdin_path ? "file" : "none", "tty", box->tty, "save",
		box->save ? tar_suffix(box->save) : NULL, "options", parameters_tell(options));
}

static json_t *dependency(const struct input *input)
{
	json_t *json =
		subject(json_text(input->name), input->digest, input->tree ? STATEMENT_TREE : NULL);

	if (json && input->uri)
		json_object_set_new(json, "uri", json_text(input->uri));
	return json;
}

static json_t *dependencies(const struct inputs *inputs)
{
	json_t *list = json_array();

	for (size_t i = 0; i < inputs->count; i++)
		append(&list, dependency(&inputs->list[i]));
	return list;
}

json_t *statement_make(const struct run_options *options, const struct inputs *inputs,
	const struct box_result *result)
{
	json_t *definition = json_pack("{s:s, s:o, s:{s:b}, s:o}", "buildType",
		STATEMENT_BUILD_TYPE, "externalParameters", external_parameters(options, inputs),
		"internalParameters", "makeWorkdir", options->box.make_workdir,
		"resolvedDependencies", dependencies(inputs));
	json_t *details = json_pack("{s:{s:s, s:{s:s}}, s:{s:i, s:o}}", "builder", "id",
		STATEMENT_BUILDER, "version", "stet", STET_VERSION, "metadata", "stet_status",
		result->status, "stet_made", made(&options->box, result->listing));

	return json_pack("{s:s, s:o, s:s, s:{s:o, s:o}}", "_type", STATEMENT_TYPE, "subject",
		statement_subjects(options, result), "predicateType", STATEMENT_PREDICATE,
		"predicate", "buildDefinition", definition, "runDetails", details);
}
