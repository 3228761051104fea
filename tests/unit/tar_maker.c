#include "tar_maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define BLOCK 512

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[8], uname[32], gname[32], major[8], minor[8], prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a block of a tar");

void maker_start(struct maker *tar)
{
	*tar = (struct maker){ 0 };
	tar->stream = open_memstream(&tar->data, &tar->size);
	if (!tar->stream)
		abort();
}

void maker_add_bytes(struct maker *tar, const void *data, size_t size)
{
	if (fwrite(data, 1, size, tar->stream) != size)
		abort();
}

static void add_content(struct maker *tar, const char *content)
{
	static const char zeros[BLOCK];
	size_t size = strlen(content);

	maker_add_bytes(tar, content, size);
	maker_add_bytes(tar, zeros, -size % BLOCK);
}

/* A number may take the whole field, without an end. */
static void put_octal(char *field, size_t size, unsigned long long value)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%0*llo", (int)size - 1, value);

	if ((size_t)length > size)
		abort();
	memcpy(field, digits, (size_t)length);
}

static void add_header(struct maker *tar, const struct maker_entry *entry)
{
	struct header header = { .type = entry->type };
	unsigned sum = 0;

	memcpy(header.name, entry->name, strnlen(entry->name, sizeof(header.name)));
	if (entry->link)
		memcpy(header.link, entry->link, strnlen(entry->link, sizeof(header.link)));
	put_octal(header.mode, sizeof(header.mode), entry->mode);
	put_octal(header.uid, sizeof(header.uid), entry->uid);
	put_octal(header.gid, sizeof(header.gid), entry->gid);
	put_octal(header.size, sizeof(header.size), (unsigned long long)entry->size);
	put_octal(header.mtime, sizeof(header.mtime), (unsigned long long)entry->mtime);
	memcpy(header.magic, entry->magic ? entry->magic : "ustar\00000", sizeof(header.magic));
	memset(header.sum, ' ', sizeof(header.sum));
	for (size_t i = 0; i < BLOCK; i++)
		sum += ((unsigned char *)&header)[i];
	sprintf(header.sum, "%06o", sum);
	maker_add_bytes(tar, &header, BLOCK);
}

/* Each record begins with its own length. */
static void add_pax(struct maker *tar, const char *records)
{
	cleanup_free char *text = calloc(1, 2 * strlen(records) + 64);
	struct maker_entry entry = { .name = "pax", .type = 'x', .mode = 0644, .content = text };

	for (char *to = text; *records; records = strchr(records, '\n') + 1) {
		int length = (int)(strchr(records, '\n') - records) + 1, whole = length + 2;

		while (snprintf(NULL, 0, "%d ", whole) + length != whole)
			whole++;
		to += sprintf(to, "%d %.*s", whole, length, records);
	}
	maker_add(tar, entry);
}

void maker_add(struct maker *tar, struct maker_entry entry)
{
	if (entry.pax)
		add_pax(tar, entry.pax);
	entry.type = entry.type ? entry.type : '0';
	entry.mode = entry.mode ? entry.mode : 0644;
	if (entry.content && !entry.size)
		entry.size = strlen(entry.content);
	add_header(tar, &entry);
	if (entry.content)
		add_content(tar, entry.content);
}

void maker_end(struct maker *tar)
{
	static const char zeros[2 * BLOCK];

	maker_add_bytes(tar, zeros, sizeof(zeros));
	fclose(tar->stream);
}

void maker_release(struct maker *tar)
{
	free(tar->data);
}
