#include "diff/root_key.h"

#include <stdio.h>
#include <string.h>

#define WIDE_VERSION 1000 /* versions above it have seeks of eight bytes */
#define LONG_TEXT    255  /* a length byte that says: four more bytes have the length */
#define FIXED_BYTES  18	  /* before the seeks */

uint64_t root_seek_read(const struct blob *blob, uint64_t *at, bool wide)
{
	unsigned bytes = wide ? 8 : 4;
	uint64_t seek = blob_be(blob, *at, bytes);

	*at += bytes;
	return seek;
}

bool root_text_read(const struct blob *blob, uint64_t *at, uint64_t end, struct root_text *text)
{
	uint64_t size;

	if (*at >= end)
		return false;
	size = blob_be(blob, (*at)++, 1);
	if (size == LONG_TEXT) {
		if (end - *at < 4)
			return false;
		size = blob_be(blob, *at, 4);
		*at += 4;
	}
	if (size > end - *at)
		return false;
	*text = (struct root_text){ (const char *)blob->data + *at, (uint32_t)size };
	*at += size;
	return true;
}

bool root_key_read(const struct blob *blob, uint64_t at, struct root_key *key)
{
	bool wide = blob_be(blob, at + 4, 2) > WIDE_VERSION;
	uint64_t next = at + FIXED_BYTES, end;

	*key = (struct root_key){
		.bytes = (uint32_t)blob_be(blob, at, 4),
		.object_bytes = (uint32_t)blob_be(blob, at + 6, 4),
		.time = (uint32_t)blob_be(blob, at + 10, 4),
		.key_bytes = (uint16_t)blob_be(blob, at + 14, 2),
		.cycle = (int16_t)blob_be(blob, at + 16, 2),
	};
	if (at > blob->size || key->key_bytes > blob->size - at || key->bytes > INT32_MAX ||
		key->object_bytes > INT32_MAX || key->key_bytes > INT16_MAX ||
		key->bytes < key->key_bytes || key->key_bytes < FIXED_BYTES + (wide ? 16 : 8))
		return false;
	key->seek = root_seek_read(blob, &next, wide);
	key->directory = root_seek_read(blob, &next, wide);
	end = at + key->key_bytes;
	if (!root_text_read(blob, &next, end, &key->class) ||
		!root_text_read(blob, &next, end, &key->name) ||
		!root_text_read(blob, &next, end, &key->title))
		return false;
	key->text_end = (uint16_t)(next - at);
	return true;
}

int root_text_order(const struct root_text *a, const struct root_text *b)
{
	int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

bool root_text_is(const struct root_text *text, const char *word)
{
	return text->size == strlen(word) && memcmp(text->text, word, text->size) == 0;
}

void root_time_text(uint32_t time, char text[ROOT_TIME_TEXT])
{
	snprintf(text, ROOT_TIME_TEXT, "%04u-%02u-%02u %02u:%02u:%02u", (time >> 26) + 1995,
		time >> 22 & 15, time >> 17 & 31, time >> 12 & 31, time >> 6 & 63, time & 63);
}
