#include "diff/root_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WIDE_FILE     1000000	  /* versions from here have seeks of eight bytes */
#define BEGIN_LEAST   45	  /* a header without a UUID */
#define WIDE_SEGMENT  1000	  /* versions above it have seeks of eight bytes */
#define LONG_GAP      2000000000u /* of those that are longer only so much is marked */
#define UNMARKED_MOST 1000	  /* gaps that only the list of free segments knows of */
#define BEGIN_MOST    4096	  /* it is 64 or 100 in all that there are */

bool root_file_is(const struct blob *blob)
{
	uint64_t begin = blob_be(blob, 8, 4);

	/* What begins with "root" may also be a text. */
	return blob_has(blob, 0, "root", 4) && blob_be(blob, 4, 4) <= INT32_MAX &&
	       begin >= BEGIN_LEAST && begin <= BEGIN_MOST;
}

static void read_header(struct root_file *file)
{
	const struct blob *blob = file->blob;
	uint64_t at = 12;

	file->version = (uint32_t)blob_be(blob, 4, 4);
	file->wide = file->version >= WIDE_FILE;
	file->begin = blob_be(blob, 8, 4);
	file->end = root_seek_read(blob, &at, file->wide);
	file->free_at = root_seek_read(blob, &at, file->wide);
	at += 13; /* sizes of the free list and of the name, count of segments, bytes of seeks */
	file->compression = (uint32_t)blob_be(blob, at, 4);
	at += 4;
	file->streamers_at = root_seek_read(blob, &at, file->wide);
	at += 6; /* its size, the version of the UUID */
	if (at + ROOT_UUID <= file->begin && at + ROOT_UUID <= blob->size)
		memcpy(file->uuid, blob->data + at, ROOT_UUID);
}

struct root_record *root_file_add(
	struct root_file *file, uint64_t at, uint64_t most, struct error *err)
{
	struct root_record *record;

	if (file->record_count >= most) {
		error_set(
			err, 0, "a ROOT file has more than %llu records", (unsigned long long)most);
		return NULL;
	}
	if (file->record_count == file->record_room) {
		size_t room = file->record_room ? 2 * file->record_room : 64;
		struct root_record *all = reallocarray(file->records, room, sizeof(*all));

		if (!all) {
			error_set(err, ENOMEM, "cannot list the records of a ROOT file");
			return NULL;
		}
		file->records = all;
		file->record_room = room;
	}
	record = &file->records[file->record_count++];
	*record = (struct root_record){ .at = at, .kind = ROOT_OBJECT };
	return record;
}

/* The list of free segments knows how far they go. Returns the end of that which has `at`, or 0. */
static uint64_t free_end(const struct root_file *file, uint64_t at)
{
	const struct blob *blob = file->blob;
	uint64_t next = file->free_at, end;
	struct root_key key;

	if (!root_key_read(blob, next, &key) || key.bytes > blob->size - next)
		return 0;
	end = next + key.bytes;
	next += key.key_bytes;
	while (next < end) {
		bool wide = blob_be(blob, next, 2) > WIDE_SEGMENT;
		uint64_t first, last;

		next += 2;
		first = root_seek_read(blob, &next, wide);
		last = root_seek_read(blob, &next, wide);
		if (first <= at && at <= last && last < file->end)
			return last + 1;
	}
	return 0;
}

/* A record that was deleted says how long it is with a minus, if it is not too long for that. */
static uint64_t gap_end(struct root_file *file, uint64_t at)
{
	uint32_t bytes = (uint32_t)blob_be(file->blob, at, 4);
	uint64_t end;

	if (bytes <= INT32_MAX)
		return 0;
	end = at + -bytes;
	if (-bytes >= LONG_GAP) {
		uint64_t listed = free_end(file, at);

		if (listed > end)
			return listed;
	}
	return end;
}

static void skip_gap(struct root_file *file, uint64_t *at, uint64_t gap)
{
	file->gaps++;
	file->gap_bytes += gap - *at;
	*at = gap;
}

/* Each record says where the next one is. 1: the one at `at` does not. */
static int scan_one(
	struct root_file *file, uint64_t *at, uint64_t end, uint64_t most, struct error *err)
{
	uint64_t left = end - *at, gap = left < 4 ? 0 : gap_end(file, *at);
	struct root_record *record;
	struct root_key key;

	if (gap > *at && gap <= end) {
		skip_gap(file, at, gap);
		return 0;
	}
	if (!root_key_read(file->blob, *at, &key) || key.bytes > left)
		return 1;
	record = root_file_add(file, *at, most, err);
	if (!record)
		return -1;
	record->key = key;
	*at += key.bytes;
	return 0;
}

static int scan(struct root_file *file, uint64_t most, struct error *err)
{
	uint64_t end = file->end < file->blob->size ? file->end : file->blob->size;
	uint64_t at = file->begin, gap;
	unsigned unmarked = 0;
	int result = 0;

	while (at < end && result == 0) {
		result = scan_one(file, &at, end, most, err);
		/* Not every writer marks what is free. */
		if (result > 0 && unmarked++ < UNMARKED_MOST) {
			gap = free_end(file, at);
			if (gap > at && gap <= end) {
				skip_gap(file, &at, gap);
				result = 0;
			}
		}
	}
	file->scan_end = at;
	if (result > 0 || file->end > file->blob->size)
		file->damage_at = at;
	return result < 0 ? -1 : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct root_record *one = a, *other = b;

	return (one->at > other->at) - (one->at < other->at);
}

/* Records that only directories know of go to their places. Those that overlap with others would
 * be compared more than once: in a whole file there are none. */
static void put_in_order(struct root_file *file)
{
	size_t kept = 0;
	uint64_t end = 0;

	qsort(file->records, file->record_count, sizeof(*file->records), by_place);
	for (size_t i = 0; i < file->record_count; i++) {
		struct root_record *record = &file->records[i];

		if (kept && record->at < end) {
			if (record->at != file->records[kept - 1].at && !file->damage_at)
				file->damage_at = record->at;
			continue;
		}
		end = record->at + record->key.bytes;
		file->records[kept++] = *record;
	}
	file->record_count = kept;
}

enum root_read root_file_read(
	struct root_file *file, const struct blob *blob, uint64_t most, struct error *err)
{
	size_t scanned;

	*file = (struct root_file){ .blob = blob };
	if (!root_file_is(blob))
		return ROOT_DAMAGED;
	read_header(file);
	if (scan(file, most, err))
		return ROOT_FAILED;
	if (!file->record_count || file->records[0].at != file->begin)
		return ROOT_DAMAGED;
	scanned = file->record_count;
	if (root_directories_read(file, most, err))
		return ROOT_FAILED;
	if (file->record_count != scanned)
		put_in_order(file);
	return ROOT_READ;
}

void root_file_release(struct root_file *file)
{
	free(file->records);
	free(file->directories);
	*file = (struct root_file){ 0 };
}

struct root_record *root_file_find(const struct root_file *file, uint64_t at)
{
	const struct root_record wanted = { .at = at };

	return bsearch(
		&wanted, file->records, file->record_count, sizeof(*file->records), by_place);
}

struct blob root_record_packed(const struct root_file *file, const struct root_record *record)
{
	const struct root_key *key = &record->key;

	return blob_part(
		file->blob, record->at + key->key_bytes, key->bytes - key->key_bytes, NULL);
}

struct blob root_record_extra(const struct root_file *file, const struct root_record *record)
{
	const struct root_key *key = &record->key;

	return blob_part(
		file->blob, record->at + key->text_end, key->key_bytes - key->text_end, NULL);
}
