#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json_text.h"
#include "bundle/index.h"

/* Any of these may be NULL, when there is no memory; jansson passes that on to the end. */

static json_t *texts(char *const *list)
{
	json_t *array = json_array();

	for (; list && *list; list++)
		if (json_array_append_new(array, json_text(*list)))
			return NULL;
	return array;
}

static json_t *hash_text(const char *hash)
{
	return json_sprintf("sha256:%s", hash);
}

static json_t *label_value(const struct bundle_label *label)
{
	cleanup_free char *hex = malloc(2 * label->bytes + 1);

	if (!hex)
		return NULL;
	hex[0] = '\0';
	for (size_t i = 0; i < label->bytes; i++)
		sprintf(hex + 2 * i, "%02x", label->value[i]);
	return json_string(hex);
}

static int add_labels(json_t *object, const struct bundle_file *file)
{
	json_t *labels;

	if (!file->label_count)
		return 0;
	labels = json_object();
	for (size_t i = 0; i < file->label_count; i++) {
		json_t *name = json_text(file->labels[i].name);
		int bad = !name || json_object_set_new(labels, json_string_value(name),
					   label_value(&file->labels[i]));

		json_decref(name);
		if (bad)
			return -1;
	}
	return json_object_set_new(object, "labels", labels);
}

/* What a state does not tell is left out. */
static int add_details(json_t *object, const struct bundle_file *file)
{
	int bad = 0;

	if (file->state == BUNDLE_LISTED)
		return 0;
	bad |= json_object_set_new(object, "mode", json_sprintf("%04o", file->mode & 07777));
	bad |= json_object_set_new(object, "owner", json_sprintf("%u:%u", file->uid, file->gid));
	if (file->type == BUNDLE_FILE)
		bad |= json_object_set_new(object, "size", json_integer((json_int_t)file->size));
	if (file->hash[0])
		bad |= json_object_set_new(object, "content", hash_text(file->hash));
	if (file->same)
		bad |= json_object_set_new(object, "same", json_text(file->same));
	if (file->links > 1)
		bad |= json_object_set_new(object, "links", json_integer(file->links));
	if (file->complete)
		bad |= json_object_set_new(object, "complete", json_true());
	if (file->timed)
		bad |= json_object_set_new(object, "time", json_integer(file->time));
	return bad | add_labels(object, file);
}

static json_t *file_object(const struct bundle_file *file)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= json_object_set_new(object, "path", json_text(file->path));
	bad |= json_object_set_new(object, "type", json_string(bundle_types[file->type]));
	bad |= json_object_set_new(object, "known", json_string(bundle_states[file->state]));
	if (file->target)
		bad |= json_object_set_new(object, "target", json_text(file->target));
	bad |= add_details(object, file);
	if (!bad)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *files_array(const struct bundle_index *index)
{
	json_t *array = json_array();

	for (size_t i = 0; i < index->file_count; i++)
		if (json_array_append_new(array, file_object(&index->files[i])))
			return NULL;
	return array;
}

static json_t *mounts_array(const struct bundle_index *index)
{
	json_t *array = json_array();

	for (size_t i = 0; i < index->mount_count; i++) {
		const struct bundle_mount *mount = &index->mounts[i];

		if (json_array_append_new(
			    array, json_pack("{s:o, s:s, s:s}", "place", json_text(mount->place),
					   "mode", mount->mode, "type",
					   bundle_types[mount->directory ? BUNDLE_DIRECTORY
									 : BUNDLE_FILE])))
			return NULL;
	}
	return array;
}

static json_t *bytes_object(const struct bundle_bytes *bytes, const char *as)
{
	json_t *object = json_pack(
		"{s:I, s:o}", "size", (json_int_t)bytes->size, "content", hash_text(bytes->hash));

	if (as)
		json_object_set_new(object, "as", json_string(as));
	return object;
}

static json_t *make(const struct bundle_index *index)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= json_object_set_new(object, "stet", json_string(STET_VERSION));
	bad |= json_object_set_new(object, "kind", json_string("bundle"));
	bad |= json_object_set_new(object, "version", json_integer(BUNDLE_VERSION));
	bad |= json_object_set_new(object, "command", texts(index->command));
	bad |= json_object_set_new(object, "environment", texts(index->environment));
	bad |= json_object_set_new(object, "workdir", json_text(index->workdir));
	bad |= json_object_set(object, "options", index->options);
	bad |= json_object_set_new(object, "mounts", mounts_array(index));
	bad |= json_object_set_new(object, "plain", texts(index->plain));
	bad |= json_object_set_new(object, "tty", json_boolean(index->tty));
	if (index->input.present)
		bad |= json_object_set_new(object, "stdin",
			bytes_object(&index->input, index->input_is_file ? "file" : "pipe"));
	if (index->entropy.present)
		bad |= json_object_set_new(object, "entropy", bytes_object(&index->entropy, NULL));
	bad |= json_object_set_new(object, "digest", hash_text(index->digest));
	bad |= json_object_set_new(object, "status", json_integer(index->status));
	bad |= json_object_set_new(object, "files", files_array(index));
	bad |= json_object_set_new(object, "missing", texts(index->missing));
	if (!bad)
		return object;
	json_decref(object);
	return NULL;
}

char *index_write(const struct bundle_index *index, bool readable, struct error *err)
{
	json_t *object = make(index);
	char *result = object ? json_dumps(object,
					JSON_SORT_KEYS | (readable ? JSON_INDENT(2) : JSON_COMPACT))
			      : NULL;

	json_decref(object);
	if (!result)
		error_set(err, ENOMEM, "cannot write the bundle's index");
	return result;
}
