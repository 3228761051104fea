#include "image/oci_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define LIST_MAX 4096 /* of the lists of strings; more than any command or environment takes */

static int check_plain(int fd, uint64_t *size, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_set(err, errno, "cannot open it");
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "it is not a plain file");
	*size = (uint64_t)status.st_size;
	return 0;
}

int oci_file_open(int dir, const char *path, uint64_t *size, struct error *err)
{
	/* Without O_NONBLOCK opening a FIFO would wait for somebody to write to it. */
	int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	*size = 0;
	if (fd < 0 && errno == ELOOP)
		return error_set(err, 0, "it is a symbolic link, not a plain file");
	if (fd < 0 && errno == ENOENT)
		return error_set(err, 0, "it is missing");
	if (fd < 0)
		return error_set(err, errno, "cannot open it");
	if (check_plain(fd, size, err) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Says which blob of which image the error is about. */
static int name_place(struct error *err, const char *name, const char *place)
{
	struct error inner = *err;

	return error_set(err, 0, "%s: %s: %s", name, place, inner.text);
}

static int blob_open(int dir, const struct oci_digest *digest, uint64_t size, struct error *err)
{
	char path[OCI_BLOB_PATH];
	uint64_t found;
	int fd;

	oci_digest_path(digest, path);
	fd = oci_file_open(dir, path, &found, err);
	if (fd < 0 || found == size)
		return fd;
	close(fd);
	return error_set(err, 0, "it has %ju bytes, and its descriptor says %ju", (uintmax_t)found,
		(uintmax_t)size);
}

static void blob_place(
	char place[sizeof(((struct oci_document *)0)->place)], const struct oci_digest *digest)
{
	sprintf(place, "blob %s", digest->text);
}

int oci_blob_open(int dir, const char *name, const struct oci_digest *digest, uint64_t size,
	struct error *err)
{
	char place[sizeof(((struct oci_document *)0)->place)];
	int fd = blob_open(dir, digest, size, err);

	blob_place(place, digest);
	return fd < 0 ? name_place(err, name, place) : fd;
}

int oci_wrong(const struct oci_document *document, struct error *err, const char *format, ...)
{
	cleanup_free char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return error_set(err, 0, "%s: %s: %s", document->image, document->place,
		text ? text : "out of memory");
}

static int read_whole(int fd, char *text, size_t bytes, struct error *err)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = read(fd, text + done, bytes - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, errno, "cannot read it");
		if (got == 0)
			return error_set(err, 0, "it became shorter while it was read");
		done += (size_t)got;
	}
	return 0;
}

/* Before anything is read. */
static int allow(struct oci_source *source, uint64_t size, struct error *err)
{
	if (size > OCI_DOCUMENT_MAX)
		return error_set(err, 0, "it has %ju bytes; JSON of more than %u MiB is refused",
			(uintmax_t)size, OCI_DOCUMENT_MAX >> 20);
	source->bytes += size;
	if (++source->documents > OCI_DOCUMENTS_MAX || source->bytes > OCI_READ_MAX)
		return error_set(err, 0,
			"more than %d documents or %u MiB of them lead to one image: refused",
			OCI_DOCUMENTS_MAX, OCI_READ_MAX >> 20);
	return 0;
}

static int read_text(
	struct oci_source *source, int fd, uint64_t size, char **text, struct error *err)
{
	if (allow(source, size, err))
		return -1;
	*text = malloc(size + 1);
	if (!*text)
		return error_set(err, ENOMEM, "cannot read it");
	return read_whole(fd, *text, size, err);
}

int oci_document_parse(
	struct oci_document *document, const char *text, size_t bytes, struct error *err)
{
	json_error_t error;

	document->json = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
	if (!document->json)
		return oci_wrong(document, err, "bad JSON: %s", error.text);
	if (json_is_object(document->json))
		return 0;
	oci_document_release(document);
	return oci_wrong(document, err, "must be a JSON object");
}

int oci_document_file(struct oci_source *source, const char *path, struct oci_document *document,
	struct error *err)
{
	cleanup_free char *text = NULL;
	uint64_t size;
	cleanup_close int fd = oci_file_open(source->dir, path, &size, err);

	*document = (struct oci_document){ .image = source->name };
	snprintf(document->place, sizeof(document->place), "%s", path);
	if (fd < 0 || read_text(source, fd, size, &text, err))
		return name_place(err, source->name, document->place);
	return oci_document_parse(document, text, size, err);
}

static int check_text(
	const struct oci_digest *digest, const char *text, uint64_t size, struct error *err)
{
	struct oci_check check;

	oci_check_start(&check, digest);
	oci_check_add(&check, text, size);
	return oci_check_matches(&check)
		       ? 0
		       : error_set(err, 0, "its content has another digest: copy the image again");
}

int oci_document_blob(struct oci_source *source, const struct oci_digest *digest, uint64_t size,
	char *sha256, struct oci_document *document, struct error *err)
{
	cleanup_free char *text = NULL;
	cleanup_close int fd = blob_open(source->dir, digest, size, err);
	struct hash hash;

	*document = (struct oci_document){ .image = source->name };
	blob_place(document->place, digest);
	if (fd < 0 || read_text(source, fd, size, &text, err) ||
		check_text(digest, text, size, err))
		return name_place(err, source->name, document->place);
	if (sha256) {
		hash_start(&hash);
		hash_add(&hash, text, size);
		hash_finish(&hash, sha256);
	}
	return oci_document_parse(document, text, size, err);
}

void oci_document_release(struct oci_document *document)
{
	json_decref(document->json);
	document->json = NULL;
}

static const char *type_name(json_type type)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "a list",
		[JSON_STRING] = "a string",
		[JSON_INTEGER] = "a whole number",
	};

	return names[type];
}

int oci_member(const struct oci_document *document, const json_t *object, const char *key,
	json_type type, enum oci_need need, json_t **member, struct error *err)
{
	*member = json_object_get(object, key);
	if (json_is_null(*member))
		*member = NULL;
	if (!*member && need == OCI_REQUIRED)
		return oci_wrong(document, err, "\"%s\" is missing", key);
	if (*member && json_typeof(*member) != type)
		return oci_wrong(document, err, "\"%s\" must be %s", key, type_name(type));
	return 0;
}

int oci_string(const struct oci_document *document, const json_t *object, const char *key,
	enum oci_need need, const char **string, struct error *err)
{
	json_t *member;

	if (oci_member(document, object, key, JSON_STRING, need, &member, err))
		return -1;
	*string = member ? json_string_value(member) : NULL;
	return 0;
}

static int copy_strings(const struct oci_document *document, const json_t *list, const char *key,
	char **copies, struct error *err)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *string = json_string_value(json_array_get(list, i));

		if (!string)
			return oci_wrong(document, err, "\"%s\" must be a list of strings", key);
		copies[i] = strdup(string);
		if (!copies[i])
			return error_set(err, ENOMEM, "%s", document->image);
	}
	return 0;
}

int oci_strings(const struct oci_document *document, const json_t *object, const char *key,
	char ***strings, struct error *err)
{
	json_t *list;
	char **copies;

	*strings = NULL;
	if (oci_member(document, object, key, JSON_ARRAY, OCI_OPTIONAL, &list, err))
		return -1;
	if (json_array_size(list) == 0)
		return 0;
	if (json_array_size(list) > LIST_MAX)
		return oci_wrong(document, err, "\"%s\" has %zu entries, more than %d", key,
			json_array_size(list), LIST_MAX);
	copies = calloc(json_array_size(list) + 1, sizeof(*copies));
	if (!copies)
		return error_set(err, ENOMEM, "%s", document->image);
	if (copy_strings(document, list, key, copies, err)) {
		oci_strings_release(copies);
		return -1;
	}
	*strings = copies;
	return 0;
}

void oci_strings_release(char **strings)
{
	for (char **string = strings; string && *string; string++)
		free(*string);
	free(strings);
}

int oci_take_digest(const struct oci_document *document, const json_t *string,
	struct oci_digest *digest, struct error *err)
{
	const char *text = json_string_value(string);

	if (!text)
		return oci_wrong(document, err, "a digest must be a string");
	if (!oci_digest_read(digest, text))
		return oci_wrong(document, err,
			"digest %.150s: must be sha256: or sha512: and lower-case hexadecimal "
			"digits",
			text);
	return 0;
}
