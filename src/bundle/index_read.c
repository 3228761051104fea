#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json_text.h"
#include "bundle/index.h"

#define LINKS_MAX 65000 /* ext4's limit on the names of a file */

struct reading {
	struct bundle_index *index;
	const char *name; /* the bundle's */
	struct error *err;
};

static int bad(const struct reading *r, const char *what)
{
	return error_set(r->err, 0, "%s: not a bundle, or damaged: %s in its index", r->name, what);
}

static int take_texts(
	const struct reading *r, const json_t *array, const char *what, char ***list, size_t *count)
{
	size_t size = json_array_size(array);

	*list = json_is_array(array) ? calloc(size + 1, sizeof(**list)) : NULL;
	if (!*list)
		return bad(r, what);
	for (size_t i = 0; i < size; i++)
		if (!((*list)[i] = json_text_read(json_array_get(array, i))))
			return bad(r, what);
	if (count)
		*count = size;
	return 0;
}

static bool take_hash(const json_t *value, char hash[HASH_TEXT])
{
	static const char prefix[] = "sha256:";
	const char *text = json_string_value(value);
	size_t skip = sizeof(prefix) - 1;

	if (!text || strncmp(text, prefix, skip) != 0 || strlen(text + skip) != HASH_TEXT - 1 ||
		strspn(text + skip, "0123456789abcdef") != HASH_TEXT - 1)
		return false;
	memcpy(hash, text + skip, HASH_TEXT);
	return true;
}

static bool take_number(const json_t *value, uint64_t most, uint64_t *number)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
		(uint64_t)json_integer_value(value) > most)
		return false;
	*number = (uint64_t)json_integer_value(value);
	return true;
}

static bool take_word(const json_t *value, const char *const *words, size_t count, unsigned *which)
{
	const char *text = json_string_value(value);

	for (*which = 0; text && *which < count; ++*which)
		if (strcmp(text, words[*which]) == 0)
			return true;
	return false;
}

/* Absolute, and without empty parts, "." and ".."; "/" itself is one. */
static bool is_path(const char *path)
{
	if (!path || path[0] != '/' || strlen(path) >= PATH_MAX)
		return false;
	for (const char *part = path + 1; path[1]; part++) {
		size_t length = strcspn(part, "/");

		if (length == 0 || length > NAME_MAX || (length == 1 && part[0] == '.') ||
			(length == 2 && memcmp(part, "..", 2) == 0))
			return false;
		part += length;
		if (!*part)
			break;
	}
	return true;
}

static bool take_mode(const json_t *value, mode_t *mode)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) != 4 || strspn(text, "01234567") != 4)
		return false;
	*mode = (mode_t)strtoul(text, NULL, 8);
	return true;
}

static bool take_owner(const json_t *value, struct bundle_file *file)
{
	const char *text = json_string_value(value);
	int used = 0;

	return text && isdigit((unsigned char)text[0]) &&
	       sscanf(text, "%u:%u%n", &file->uid, &file->gid, &used) == 2 && !text[used];
}

static bool take_hex(const char *text, struct bundle_label *label)
{
	size_t length = text ? strlen(text) : 1;

	label->value = length % 2 ? NULL : malloc(length / 2 + 1);
	if (!label->value)
		return false;
	label->bytes = length / 2;
	for (size_t i = 0; i < label->bytes; i++)
		if (!isxdigit((unsigned char)text[2 * i]) ||
			sscanf(text + 2 * i, "%2hhx", &label->value[i]) != 1)
			return false;
	return true;
}

/* Only the program's own: others would be the host's affair. */
static bool take_labels(json_t *object, struct bundle_file *file)
{
	const char *name;
	json_t *value;

	file->labels = calloc(json_object_size(object) + 1, sizeof(*file->labels));
	if (!file->labels)
		return false;
	json_object_foreach(object, name, value)
	{
		struct bundle_label *label = &file->labels[file->label_count++];
		json_t *text = json_string(name);

		label->name = json_text_read(text);
		json_decref(text);
		if (!label->name || strncmp(label->name, "user.", 5) != 0 ||
			strncmp(label->name, "user.overlay.", 13) == 0 ||
			!take_hex(json_string_value(value), label))
			return false;
	}
	return true;
}

static bool take_optional(json_t *object, struct bundle_file *file)
{
	json_t *value;
	uint64_t number;

	if ((value = json_object_get(object, "content")) && !take_hash(value, file->hash))
		return false;
	if ((value = json_object_get(object, "same")) && !(file->same = json_text_read(value)))
		return false;
	if ((value = json_object_get(object, "links"))) {
		if (!take_number(value, LINKS_MAX, &number))
			return false;
		file->links = (unsigned)number;
	}
	if ((value = json_object_get(object, "time"))) {
		if (!json_is_integer(value))
			return false;
		file->timed = true;
		file->time = json_integer_value(value);
	}
	if ((value = json_object_get(object, "labels")) && !take_labels(value, file))
		return false;
	file->complete = json_is_true(json_object_get(object, "complete"));
	return true;
}

static bool take_details(json_t *object, struct bundle_file *file)
{
	if (file->state == BUNDLE_LISTED) {
		file->mode = file->type == BUNDLE_DIRECTORY ? 0755 : 0644;
		return true;
	}
	if (!take_mode(json_object_get(object, "mode"), &file->mode) ||
		!take_owner(json_object_get(object, "owner"), file) ||
		(file->type == BUNDLE_FILE &&
			!take_number(json_object_get(object, "size"), INT64_MAX, &file->size)))
		return false;
	return take_optional(object, file);
}

static bool take_file(json_t *object, struct bundle_file *file)
{
	unsigned type, state;

	file->path = json_text_read(json_object_get(object, "path"));
	if (!is_path(file->path) ||
		!take_word(json_object_get(object, "type"), bundle_types, 5, &type) ||
		!take_word(json_object_get(object, "known"), bundle_states, 4, &state))
		return false;
	file->type = (enum bundle_type)type;
	file->state = (enum bundle_state)state;
	if (type == BUNDLE_LINK &&
		!(file->target = json_text_read(json_object_get(object, "target"))))
		return false;
	return take_details(object, file);
}

/* What a file says must go together with the others: sorted, below a directory, its content known
 * once. */
static bool is_sound(const struct bundle_index *index, const struct bundle_file *file)
{
	bool content = file->type == BUNDLE_FILE && file->state == BUNDLE_READ;
	const struct bundle_file *other;
	char parent[PATH_MAX];

	if (file != index->files && strcmp(file[-1].path, file->path) >= 0)
		return false;
	if (content != (file->hash[0] || file->same) && !(file->same && file->type == BUNDLE_FILE))
		return false;
	if (file->hash[0] && file->same)
		return false;
	other = file->same ? index_find(index, file->same) : NULL;
	if (file->same && (!other || other >= file || other->same || other->type != file->type))
		return false;
	if (strcmp(file->path, "/") == 0)
		return file->type == BUNDLE_DIRECTORY;
	snprintf(parent, sizeof(parent), "%s", file->path);
	strrchr(parent, '/')[strrchr(parent, '/') == parent] = '\0';
	other = index_find(index, parent);
	return other && other->type == BUNDLE_DIRECTORY;
}

static int take_files(const struct reading *r, const json_t *array)
{
	struct bundle_index *index = r->index;
	size_t size = json_array_size(array);

	index->files = json_is_array(array) ? calloc(size + 1, sizeof(*index->files)) : NULL;
	if (!index->files)
		return bad(r, "files");
	for (size_t i = 0; i < size; i++) {
		index->file_count++;
		if (!take_file(json_array_get(array, i), &index->files[i]))
			return bad(r, "a file");
	}
	for (size_t i = 0; i < size; i++)
		if (!is_sound(index, &index->files[i]))
			return bad(r, "a file that does not go with the others");
	return 0;
}

static int take_missing(const struct reading *r, const json_t *array)
{
	struct bundle_index *index = r->index;

	if (take_texts(r, array, "names that were missing", &index->missing, &index->missing_count))
		return -1;
	for (size_t i = 0; i < index->missing_count; i++)
		if (!is_path(index->missing[i]) ||
			(i && strcmp(index->missing[i - 1], index->missing[i]) >= 0))
			return bad(r, "names that were missing");
	return 0;
}

static int take_mounts(const struct reading *r, const json_t *array)
{
	static const char *const modes[] = { "rw", "ro", "copy" };
	struct bundle_index *index = r->index;
	size_t size = json_array_size(array);

	index->mounts = json_is_array(array) ? calloc(size + 1, sizeof(*index->mounts)) : NULL;
	if (!index->mounts)
		return bad(r, "mounts");
	for (size_t i = 0; i < size; i++) {
		json_t *object = json_array_get(array, i);
		struct bundle_mount *mount = &index->mounts[index->mount_count++];
		unsigned mode, type;

		mount->place = json_text_read(json_object_get(object, "place"));
		if (!is_path(mount->place) || !mount->place[1] ||
			!take_word(json_object_get(object, "mode"), modes, 3, &mode) ||
			!take_word(json_object_get(object, "type"), bundle_types, 2, &type))
			return bad(r, "a mount");
		mount->mode = strdup(modes[mode]);
		mount->directory = type == BUNDLE_DIRECTORY;
		if (!mount->mode)
			return bad(r, "a mount");
	}
	return 0;
}

/* What they mean is for others to say. */
static int take_options(const struct reading *r, json_t *object)
{
	if (!json_is_object(object))
		return bad(r, "options");
	r->index->options = json_incref(object);
	return 0;
}

static int take_bytes(const struct reading *r, const json_t *object, struct bundle_bytes *bytes)
{
	bytes->present = object;
	if (object && (!take_number(json_object_get(object, "size"), INT64_MAX, &bytes->size) ||
			      !take_hash(json_object_get(object, "content"), bytes->hash)))
		return bad(r, "input");
	return 0;
}

static int take_run(const struct reading *r, const json_t *object)
{
	struct bundle_index *index = r->index;
	const json_t *input = json_object_get(object, "stdin");
	const char *as = json_string_value(json_object_get(input, "as"));
	uint64_t status;

	index->workdir = json_text_read(json_object_get(object, "workdir"));
	index->tty = json_is_true(json_object_get(object, "tty"));
	index->input_is_file = as && strcmp(as, "file") == 0;
	if (take_texts(
		    r, json_object_get(object, "command"), "the command", &index->command, NULL) ||
		take_texts(r, json_object_get(object, "environment"), "the environment",
			&index->environment, NULL) ||
		take_texts(
			r, json_object_get(object, "plain"), "the layout", &index->plain, NULL) ||
		take_bytes(r, input, &index->input) ||
		take_bytes(r, json_object_get(object, "entropy"), &index->entropy))
		return -1;
	if (!index->command[0] || !is_path(index->workdir))
		return bad(r, "the command");
	if (!take_hash(json_object_get(object, "digest"), index->digest) ||
		!take_number(json_object_get(object, "status"), 255, &status))
		return bad(r, "the result");
	index->status = (int)status;
	return 0;
}

static int take_index(const struct reading *r, const json_t *object)
{
	const char *kind = json_string_value(json_object_get(object, "kind"));
	const json_t *version = json_object_get(object, "version");

	if (!kind || strcmp(kind, "bundle") != 0 || !json_is_integer(version))
		return bad(r, "no kind and version");
	if (json_integer_value(version) != BUNDLE_VERSION)
		return error_set(r->err, 0,
			"%s: a bundle of version %lld; this stet knows version %d", r->name,
			(long long)json_integer_value(version), BUNDLE_VERSION);
	return take_run(r, object) || take_options(r, json_object_get(object, "options")) ||
			       take_mounts(r, json_object_get(object, "mounts")) ||
			       take_files(r, json_object_get(object, "files")) ||
			       take_missing(r, json_object_get(object, "missing"))
		       ? -1
		       : 0;
}

int index_read(struct bundle_index *index, const char *text, size_t bytes, const char *name,
	struct error *err)
{
	struct reading r = { index, name, err };
	json_t *object = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
	int failed = json_is_object(object) ? take_index(&r, object) : bad(&r, "no JSON");

	json_decref(object);
	return failed;
}
