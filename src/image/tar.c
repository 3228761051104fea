#include "image/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define BLOCK	   512
#define ID_LIMIT   (1u << 21)	    /* of seven octal digits */
#define SIZE_LIMIT (1ull << 33)	    /* of eleven */
#define PAX_NAME   "././@PaxHeader" /* nobody looks at it */
#define GZIP_LEVEL "6"
#define ZSTD_LEVEL "3"

/* POSIX ustar: numbers are octal digits and a NUL. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, target[100],
		magic[8], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
#define FIELD(name) sizeof(((struct header *)0)->name)
_Static_assert(sizeof(struct header) == BLOCK, "a block");

struct tar {
	struct archive *out; /* which compresses, and knows nothing of what is in it */
	uint64_t left;	     /* bytes of content that are still to come */
	size_t padding;	     /* behind them */
};

static const struct form {
	const char *suffix, *filter, *level;
	int (*add)(struct archive *archive);
} forms[] = {
	{ ".tar", NULL, NULL, NULL },
	{ ".tar.gz", "gzip", GZIP_LEVEL, archive_write_add_filter_gzip },
	{ ".tar.zst", "zstd", ZSTD_LEVEL, archive_write_add_filter_zstd },
};

static const struct form *form_of(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t suffix = strlen(forms[i].suffix);

		if (length > suffix && strcmp(name + length - suffix, forms[i].suffix) == 0)
			return &forms[i];
	}
	return NULL;
}

const char *tar_suffix(const char *name)
{
	const struct form *form = form_of(name);

	return form ? form->suffix : NULL;
}

static int fail(const struct tar *tar, struct error *err)
{
	int cause = archive_errno(tar->out);

	return error_set(err, cause > 0 ? cause : EIO, "cannot write the tar");
}

/* No time and no name in what the compression adds, and nothing behind its end. */
static int start(struct archive *out, const struct form *form, int fd)
{
	struct archive_entry *whole = archive_entry_new();
	int failed = !whole || (form->add && form->add(out)) || archive_write_set_format_raw(out) ||
		     archive_write_set_bytes_in_last_block(out, 1);

	if (!failed && form->filter)
		failed = archive_write_set_filter_option(
			out, form->filter, "compression-level", form->level);
	if (!failed && form->filter && strcmp(form->filter, "gzip") == 0)
		failed = archive_write_set_filter_option(out, form->filter, "timestamp", NULL);
	if (!failed) {
		archive_entry_set_filetype(whole, AE_IFREG);
		failed = archive_write_open_fd(out, fd) || archive_write_header(out, whole);
	}
	archive_entry_free(whole);
	return failed ? -1 : 0;
}

struct tar *tar_open(const char *name, int fd, struct error *err)
{
	struct tar *tar = calloc(1, sizeof(*tar));

	if (tar)
		tar->out = archive_write_new();
	if (!tar || !tar->out) {
		error_set(err, ENOMEM, "cannot write the tar");
	} else if (start(tar->out, form_of(name), fd)) {
		fail(tar, err);
	} else {
		return tar;
	}
	tar_release(tar);
	return NULL;
}

void tar_release(struct tar *tar)
{
	if (tar)
		archive_write_free(tar->out);
	free(tar);
}

static int put(struct tar *tar, const void *data, size_t bytes, struct error *err)
{
	const char *from = data;

	while (bytes) {
		la_ssize_t n = archive_write_data(tar->out, from, bytes);

		if (n <= 0)
			return fail(tar, err);
		from += n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int pad(struct tar *tar, struct error *err)
{
	static const char zeros[2 * BLOCK];
	size_t bytes = tar->padding;

	tar->padding = 0;
	return put(tar, zeros, bytes, err);
}

/* A field need not have an end. What does not fit stands in the pax header before. */
static void set_text(char *field, size_t room, const char *text)
{
	memcpy(field, text, strnlen(text, room));
}

static void set_number(char *field, size_t room, uint64_t number)
{
	uint64_t limit = 1ull << (3 * (room - 1));

	snprintf(field, room, "%0*" PRIo64, (int)room - 1, number < limit ? number : 0);
}

#define SET_TEXT(header, field, text) set_text((header)->field, sizeof((header)->field), text)
#define SET_NUMBER(header, field, number)                                                          \
	set_number((header)->field, sizeof((header)->field), number)

static int put_header(struct tar *tar, struct header *header, struct error *err)
{
	unsigned sum = 0;

	memcpy(header->magic,
		"ustar\0"
		"00",
		sizeof(header->magic));
	SET_NUMBER(header, major, 0);
	SET_NUMBER(header, minor, 0);
	memset(header->sum, ' ', sizeof(header->sum));
	for (size_t i = 0; i < sizeof(*header); i++)
		sum += ((unsigned char *)header)[i];
	snprintf(header->sum, sizeof(header->sum), "%06o", sum);
	return put(tar, header, sizeof(*header), err);
}

/* "LENGTH KEY=VALUE\n", where the length counts itself. */
static void add_record(FILE *out, const char *key, const void *value, size_t bytes)
{
	size_t rest = strlen(key) + bytes + 3, length = rest, before;

	do {
		before = length;
		length = rest + (size_t)snprintf(NULL, 0, "%zu", before);
	} while (length != before);
	fprintf(out, "%zu %s=", length, key);
	fwrite(value, 1, bytes, out);
	fputc('\n', out);
}

static void add_text(FILE *out, const char *key, const char *text)
{
	add_record(out, key, text, strlen(text));
}

static void add_number(FILE *out, const char *key, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	add_text(out, key, text);
}

static void add_attributes(FILE *out, const struct tar_entry *entry)
{
	for (size_t i = 0; i < entry->attribute_count; i++) {
		const struct attribute *attribute = &entry->attributes[i];
		cleanup_free char *key = NULL;

		if (asprintf(&key, "SCHILY.xattr.%s", attribute->name) >= 0)
			add_record(out, key, attribute->value, attribute->bytes);
	}
}

/* What the header itself cannot say; nothing, nearly always. */
static void add_records(FILE *out, const struct tar_entry *entry, const char *path)
{
	bool long_path = strlen(path) > FIELD(name);
	bool long_target = entry->target && strlen(entry->target) > FIELD(target);

	if ((long_path && !utf8_is_valid(path)) || (long_target && !utf8_is_valid(entry->target)))
		add_text(out, "hdrcharset", "BINARY");
	if (long_path)
		add_text(out, "path", path);
	if (long_target)
		add_text(out, "linkpath", entry->target);
	if (entry->size >= SIZE_LIMIT)
		add_number(out, "size", (int64_t)entry->size);
	if (entry->uid >= ID_LIMIT)
		add_number(out, "uid", entry->uid);
	if (entry->gid >= ID_LIMIT)
		add_number(out, "gid", entry->gid);
	if (entry->mtime < 0 || (uint64_t)entry->mtime >= SIZE_LIMIT)
		add_number(out, "mtime", entry->mtime);
	add_attributes(out, entry);
}

static int put_records(struct tar *tar, const char *records, size_t bytes, struct error *err)
{
	struct header header = { .type = 'x' };

	SET_TEXT(&header, name, PAX_NAME);
	SET_NUMBER(&header, mode, 0644);
	SET_NUMBER(&header, uid, 0);
	SET_NUMBER(&header, gid, 0);
	SET_NUMBER(&header, size, bytes);
	SET_NUMBER(&header, mtime, 0);
	tar->padding = -bytes % BLOCK;
	return put_header(tar, &header, err) || put(tar, records, bytes, err) || pad(tar, err) ? -1
											       : 0;
}

static int add_pax(
	struct tar *tar, const struct tar_entry *entry, const char *path, struct error *err)
{
	cleanup_free char *records = NULL;
	size_t bytes;
	FILE *out = open_memstream(&records, &bytes);

	if (!out)
		return error_set(err, ENOMEM, "cannot write the tar");
	add_records(out, entry, path);
	if (fclose(out))
		return error_set(err, ENOMEM, "cannot write the tar");
	return bytes ? put_records(tar, records, bytes, err) : 0;
}

int tar_add(struct tar *tar, const struct tar_entry *entry, struct error *err)
{
	struct header header = { .type = (char)entry->type };
	cleanup_free char *path = NULL;

	if (asprintf(&path, "%s%s", entry->path, entry->type == TAR_DIRECTORY ? "/" : "") < 0)
		return error_set(err, ENOMEM, "cannot write the tar");
	if (add_pax(tar, entry, path, err))
		return -1;
	SET_TEXT(&header, name, path);
	SET_NUMBER(&header, mode, entry->mode & 07777);
	SET_NUMBER(&header, uid, entry->uid);
	SET_NUMBER(&header, gid, entry->gid);
	SET_NUMBER(&header, size, entry->size);
	SET_NUMBER(&header, mtime, entry->mtime < 0 ? 0 : (uint64_t)entry->mtime);
	SET_TEXT(&header, target, entry->target ? entry->target : "");
	tar->left = entry->size;
	tar->padding = -entry->size % BLOCK;
	return put_header(tar, &header, err);
}

int tar_data(struct tar *tar, const void *data, size_t bytes, struct error *err)
{
	if (bytes > tar->left)
		return error_set(err, 0, "cannot write the tar: a file grew meanwhile");
	tar->left -= bytes;
	if (put(tar, data, bytes, err))
		return -1;
	return tar->left ? 0 : pad(tar, err);
}

int tar_finish(struct tar *tar, struct error *err)
{
	tar->padding = 2 * BLOCK;
	if (pad(tar, err))
		return -1;
	return archive_write_close(tar->out) == ARCHIVE_OK ? 0 : fail(tar, err);
}
