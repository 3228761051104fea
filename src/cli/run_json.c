#include "cli/run_json.h"

#include <stdio.h>

#include "base/json_text.h"
#include "cli/listing.h"

static const struct {
	char letter;
	const char *name;
} types[] = {
	{ 'f', "file" },
	{ 'd', "directory" },
	{ 'l', "symlink" },
	{ 'p', "fifo" },
	{ 's', "socket" },
	{ 'c', "device" },
	{ 'b', "device" },
};

static const char *name_of_type(char letter)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].letter == letter)
			return types[i].name;
	return "unknown";
}

static const char *name_of_deed(enum box_deed deed)
{
	switch (deed) {
	case BOX_MADE:
		return "made";
	case BOX_CHANGED:
		return "changed";
	case BOX_DELETED:
		return "deleted";
	case BOX_UNKNOWN:
		return "unknown";
	default:
		return "none";
	}
}

static json_t *file_json(const struct listed *file)
{
	char mode[8];
	json_t *json = json_pack(
		"{s:o, s:s}", "path", json_text(file->path), "change", name_of_deed(file->deed));

	if (!json || file->deed == BOX_DELETED)
		return json;
	snprintf(mode, sizeof(mode), "%04o", file->mode & 07777);
	json_object_set_new(json, "type", json_string(name_of_type(file->type)));
	json_object_set_new(json, "mode", json_string(mode));
	json_object_set_new(json, "uid", json_integer(file->uid));
	json_object_set_new(json, "gid", json_integer(file->gid));
	if (file->target)
		json_object_set_new(json, "target", json_text(file->target));
	if (file->hash[0]) {
		json_object_set_new(json, "size", json_integer((json_int_t)file->size));
		json_object_set_new(json, "sha256", json_string(file->hash));
	}
	return json;
}

/* NULL also for what is no list. */
static json_t *files_json(const char *listing)
{
	json_t *files = json_array();
	struct listed file = { 0 };
	bool failed = !files;
	int more;

	while ((more = listing_next(&listing, &file)) > 0)
		failed |= json_array_append_new(files, file_json(&file)) != 0;
	if (more == 0 && !failed)
		return files;
	json_decref(files);
	return NULL;
}

static json_t *output_json(const struct box_output *output)
{
	return json_pack("{s:I, s:s}", "size", (json_int_t)output->bytes, "sha256", output->hash);
}

json_t *run_json(const struct box_result *result, long milliseconds)
{
	char digest[80];
	json_t *json = json_pack("{s:s, s:s, s:i, s:b, s:I, s:s?}", "stet", STET_VERSION, "kind",
		"run", "status", result->status, "timed_out", result->timed_out, "milliseconds",
		(json_int_t)milliseconds, "refused", result->refusals[0] ? result->refusals : NULL);

	if (!json)
		return NULL;
	if (!result->digest[0]) {
		json_object_set_new(json, "digest", json_null());
		json_object_set_new(json, "no_digest", json_string(result->no_digest));
		return json;
	}
	snprintf(digest, sizeof(digest), "sha256:%s", result->digest);
	json_object_set_new(json, "digest", json_string(digest));
	json_object_set_new(json, "stdout", output_json(&result->output[0]));
	json_object_set_new(json, "stderr", output_json(&result->output[1]));
	if (json_object_set_new(json, "files", files_json(result->listing)) == 0)
		return json;
	json_decref(json);
	return NULL;
}

json_t *run_json_failure(const struct error *failure)
{
	return json_pack("{s:s, s:s, s:i, s:o}", "stet", STET_VERSION, "kind", "run", "status",
		failure->status, "error", json_text(failure->text));
}
