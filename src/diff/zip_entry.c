#include "diff/zip_entry.h"

#define END	     22
#define COMMENT_MOST 65535
#define LOCATOR	     20
#define END_64	     56
#define CENTRAL	     46
#define LOCAL	     30
#define ZIP64	     0x0001
#define ENCRYPTED    0x2041 /* flags: the bytes, strongly, or the directory */

/* The last one that fits: what is behind it is its comment, or follows the archive. */
static bool find_end(const struct blob *zip, uint64_t *found)
{
	uint64_t at = zip->size < END ? 0 : zip->size - END;
	uint64_t last = at > COMMENT_MOST ? at - COMMENT_MOST : 0;

	for (;; at--) {
		if (blob_has(zip, at, "PK\5\6", 4) && zip->size - at >= END &&
			blob_le(zip, at + 20, 2) <= zip->size - at - END)
			break;
		if (at == last)
			return false;
	}
	*found = at;
	return true;
}

/* Of zip64, which is before the other; its place is said by a locator between them. */
static uint64_t find_end_64(const struct blob *zip, uint64_t end)
{
	uint64_t at;

	if (end < LOCATOR + END_64 || !blob_has(zip, end - LOCATOR, "PK\6\7", 4))
		return 0;
	at = blob_le(zip, end - LOCATOR + 8, 8);
	if (!blob_has(zip, at, "PK\6\6", 4)) /* not counting what is before the archive */
		at = end - LOCATOR - END_64;
	return blob_has(zip, at, "PK\6\6", 4) && at <= end - LOCATOR - END_64 ? at : 0;
}

bool zip_end_find(const struct blob *zip, struct zip_end *end)
{
	uint64_t at, at_64, disks, size, offset;

	if (!find_end(zip, &at))
		return false;
	at_64 = find_end_64(zip, at);
	disks = at_64 ? blob_le(zip, at_64 + 16, 8) : blob_le(zip, at + 4, 4);
	size = at_64 ? blob_le(zip, at_64 + 40, 8) : blob_le(zip, at + 12, 4);
	offset = at_64 ? blob_le(zip, at_64 + 48, 8) : blob_le(zip, at + 16, 4);
	end->directory_end = at_64 ? at_64 : at;
	if (disks || size > end->directory_end || offset > end->directory_end - size)
		return false;
	end->directory = end->directory_end - size;
	end->before = end->directory - offset;
	end->comment = (struct span){ (const char *)zip->data + at + END,
		(size_t)blob_le(zip, at + 20, 2) };
	end->end = at + END + end->comment.size;
	return !size || blob_has(zip, end->directory, "PK\1\2", 4);
}

bool zip_extra_next(const struct blob *extra, uint64_t *at, struct zip_extra *field)
{
	uint64_t size = blob_le(extra, *at + 2, 2);

	if (*at > extra->size || extra->size - *at < 4 || size > extra->size - *at - 4)
		return false;
	field->id = (unsigned)blob_le(extra, *at, 2);
	field->data = blob_part(extra, *at + 4, size, NULL);
	*at += 4 + size;
	return true;
}

/* Numbers that do not fit are in an extra field, one after the other. */
static void take_large(struct zip_entry *entry)
{
	uint64_t *numbers[] = { &entry->size, &entry->packed, &entry->local };
	struct zip_extra field;
	uint64_t at = 0, within = 0;

	while (zip_extra_next(&entry->extra, &at, &field)) {
		if (field.id != ZIP64)
			continue;
		for (int i = 0; i < 3; i++) {
			if (*numbers[i] != UINT32_MAX)
				continue;
			*numbers[i] = blob_le(&field.data, within, 8);
			within += 8;
		}
		return;
	}
}

static bool read_local(const struct blob *zip, const struct zip_end *end, struct zip_entry *entry)
{
	uint64_t name, extra;

	if (entry->local > end->directory - end->before)
		return false;
	entry->local += end->before;
	if (end->directory - entry->local < LOCAL || !blob_has(zip, entry->local, "PK\3\4", 4))
		return false;
	name = blob_le(zip, entry->local + 26, 2);
	extra = blob_le(zip, entry->local + 28, 2);
	entry->data = entry->local + LOCAL + name + extra;
	entry->local_extra = blob_part(zip, entry->local + LOCAL + name, extra, NULL);
	return entry->data <= end->directory && entry->packed <= end->directory - entry->data;
}

bool zip_entry_read(
	const struct blob *zip, const struct zip_end *end, uint64_t at, struct zip_entry *entry)
{
	const struct blob header = blob_part(zip, at, CENTRAL, NULL);
	uint64_t name = blob_le(&header, 28, 2), extra = blob_le(&header, 30, 2);
	uint64_t comment = blob_le(&header, 32, 2);

	entry->next = at + CENTRAL + name + extra + comment;
	if (header.size < CENTRAL || !blob_has(&header, 0, "PK\1\2", 4) || !name ||
		entry->next > end->directory_end)
		return false;
	entry->made_by = (unsigned)blob_le(&header, 4, 2);
	entry->needs = (unsigned)blob_le(&header, 6, 2);
	entry->flags = (unsigned)blob_le(&header, 8, 2);
	entry->method = (unsigned)blob_le(&header, 10, 2);
	entry->time = (uint32_t)blob_le(&header, 12, 4);
	entry->crc = (uint32_t)blob_le(&header, 16, 4);
	entry->packed = blob_le(&header, 20, 4);
	entry->size = blob_le(&header, 24, 4);
	entry->internal = (unsigned)blob_le(&header, 36, 2);
	entry->external = (uint32_t)blob_le(&header, 38, 4);
	entry->local = blob_le(&header, 42, 4);
	entry->name = (struct span){ (const char *)zip->data + at + CENTRAL, name };
	entry->extra = blob_part(zip, at + CENTRAL + name, extra, NULL);
	entry->comment =
		(struct span){ (const char *)zip->data + at + CENTRAL + name + extra, comment };
	take_large(entry);
	return !(entry->flags & ENCRYPTED) && read_local(zip, end, entry);
}
