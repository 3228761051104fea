#include "image/info.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/write_all.h"
#include "image/oci.h"

#define INFO_MAX (16u << 20) /* bytes; no config of an image is larger */
#define INFO_NEW "info.new"

static const char *const kinds[] = {
	[IMAGE_DIRECTORY] = "directory", [IMAGE_TAR] = "tar", [IMAGE_OCI] = "oci"
};

const char *image_kind_name(enum image_kind kind)
{
	return kinds[kind];
}

json_t *image_info_text(const char *text)
{
	json_t *string = json_string(text);
	cleanup_free char *copy = string ? NULL : strdup(text);

	if (!copy)
		return string;
	for (char *c = copy; *c; c++)
		if (*c & 0x80)
			*c = '?';
	return json_string(copy);
}

static json_t *list_json(char **list)
{
	json_t *array = list ? json_array() : json_null();

	for (size_t i = 0; list && list[i]; i++)
		json_array_append_new(array, image_info_text(list[i]));
	return array;
}

static json_t *text_json(const char *text)
{
	return text ? image_info_text(text) : json_null();
}

static json_t *config_json(const struct image_config *config)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "Env", list_json(config->environment),
		"Entrypoint", list_json(config->entrypoint), "Cmd", list_json(config->command),
		"WorkingDir", text_json(config->workdir), "User", text_json(config->user));
}

static json_t *digest_json(const char *digest)
{
	return *digest ? json_sprintf("sha256:%s", digest) : json_null();
}

json_t *image_info_json(const struct image_info *info)
{
	json_t *json = json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I}", "type", kinds[info->kind],
		"id", digest_json(info->entry), "digest", digest_json(info->digest), "source",
		image_info_text(info->source), "bytes", (json_int_t)info->bytes, "files",
		(json_int_t)info->files, "created", (json_int_t)info->created);

	if (json && info->kind == IMAGE_OCI &&
		json_object_set_new(json, "config", config_json(&info->config))) {
		json_decref(json);
		return NULL;
	}
	return json;
}

static char *to_text(const struct image_info *info)
{
	json_t *json = image_info_json(info);
	char *text = NULL;

	if (json && json_object_set_new(json, "boot", json_string(info->boot)) == 0 &&
		json_object_set_new(
			json, "source_bytes", json_integer((json_int_t)info->source_bytes)) == 0)
		text = json_dumps(json, JSON_COMPACT);
	json_decref(json);
	return text;
}

static void hash_text(const char *text, size_t length, char digest[HASH_TEXT])
{
	struct hash hash;

	hash_start(&hash);
	hash_add(&hash, text, length);
	hash_finish(&hash, digest);
}

int image_info_write(int entry, const struct image_info *info, struct error *err)
{
	cleanup_close int fd = -1;
	cleanup_free char *text = to_text(info), *whole = NULL;
	char digest[HASH_TEXT];
	int length;

	if (!text)
		return error_set(err, ENOMEM, "cannot describe the image");
	hash_text(text, strlen(text), digest);
	length = asprintf(&whole, "%s\n%s", digest, text);
	if (length < 0)
		return error_set(err, ENOMEM, "cannot describe the image");
	fd = openat(entry, INFO_NEW, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write_all(fd, whole, (size_t)length) ||
		renameat(entry, INFO_NEW, entry, "info"))
		return error_set(err, errno, "cannot write to the cache of images");
	return 0;
}

static char *read_whole(int fd)
{
	struct stat status;
	size_t length = 0;
	char *text;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size > INFO_MAX)
		return NULL;
	text = malloc((size_t)status.st_size + 1);
	while (text && length < (size_t)status.st_size) {
		ssize_t n = read(fd, text + length, (size_t)status.st_size - length);

		if (n <= 0)
			break;
		length += (size_t)n;
	}
	if (text)
		text[length] = '\0';
	return text;
}

/* The JSON behind the line with its digest, or NULL. */
static const char *checked(const char *text)
{
	const char *rest = strchr(text, '\n');
	char digest[HASH_TEXT];

	if (!rest || rest - text != HASH_TEXT - 1)
		return NULL;
	hash_text(rest + 1, strlen(rest + 1), digest);
	return memcmp(text, digest, HASH_TEXT - 1) == 0 ? rest + 1 : NULL;
}

static char *get_text(const json_t *json, const char *key)
{
	const char *value = json_string_value(json_object_get(json, key));

	return value ? strdup(value) : NULL;
}

static char **get_list(const json_t *json, const char *key)
{
	const json_t *array = json_object_get(json, key);
	char **list;

	if (!json_is_array(array))
		return NULL;
	list = calloc(json_array_size(array) + 1, sizeof(*list));
	for (size_t i = 0; list && i < json_array_size(array); i++)
		list[i] = strdup(json_string_value(json_array_get(array, i)));
	return list;
}

static void get_digest(const json_t *json, const char *key, char digest[HASH_TEXT])
{
	const char *value = json_string_value(json_object_get(json, key));
	const char *colon = value ? strchr(value, ':') : NULL;

	snprintf(digest, HASH_TEXT, "%s", colon ? colon + 1 : "");
}

static uint64_t get_number(const json_t *json, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(json, key));
}

static enum image_kind get_kind(const json_t *json)
{
	const char *type = json_string_value(json_object_get(json, "type"));

	return type && strcmp(type, kinds[IMAGE_OCI]) == 0 ? IMAGE_OCI : IMAGE_TAR;
}

static void take(const json_t *json, struct image_info *info)
{
	const json_t *config = json_object_get(json, "config");

	info->kind = get_kind(json);
	get_digest(json, "id", info->entry);
	get_digest(json, "digest", info->digest);
	info->source = get_text(json, "source");
	info->source_bytes = get_number(json, "source_bytes");
	info->bytes = get_number(json, "bytes");
	info->files = get_number(json, "files");
	info->created = (int64_t)get_number(json, "created");
	snprintf(info->boot, sizeof(info->boot), "%s",
		json_string_value(json_object_get(json, "boot")));
	info->config = (struct image_config){
		.environment = get_list(config, "Env"),
		.entrypoint = get_list(config, "Entrypoint"),
		.command = get_list(config, "Cmd"),
		.workdir = get_text(config, "WorkingDir"),
		.user = get_text(config, "User"),
	};
}

int image_info_read(int entry, struct image_info *info, struct error *err)
{
	cleanup_close int fd = openat(entry, "info", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	cleanup_free char *text = fd < 0 ? NULL : read_whole(fd);
	const char *inner = text ? checked(text) : NULL;
	json_t *json = inner ? json_loads(inner, 0, NULL) : NULL;

	*info = (struct image_info){ 0 };
	if (!json)
		return error_set(err, 0, "the cache's description of the image is damaged");
	take(json, info);
	json_decref(json);
	return 0;
}

void image_info_release(struct image_info *info)
{
	free(info->source);
	image_config_release(&info->config);
	*info = (struct image_info){ 0 };
}
