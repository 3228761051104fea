/*
 * TKey: the head of each record of a ROOT file, which also stands for it in the lists of its
 * directory. All numbers are big-endian. Uses blob only.
 */
#ifndef STET_DIFF_ROOT_KEY_H
#define STET_DIFF_ROOT_KEY_H

#include "diff/blob.h"

/* Not ended by a zero, and of any bytes: a part of the file. */
struct root_text {
	const char *text;
	uint32_t size;
};

struct root_key {
	uint32_t bytes;	       /* of the whole record */
	uint32_t object_bytes; /* of its payload when it is unpacked */
	uint32_t time;	       /* as TDatime packs it */
	uint16_t key_bytes;    /* up to the payload; TBasket has numbers behind the texts */
	uint16_t text_end;     /* of what stands here: where the texts end */
	int16_t cycle;
	uint64_t seek, directory; /* where it is said to be, and its directory */
	struct root_text class, name, title;
};

/* Reads the key at `at`; false when that cannot be one. The record itself is not looked for. */
bool root_key_read(const struct blob *blob, uint64_t at, struct root_key *key);
/* A text with a length in front, as keys and payloads have it; false beyond `end`. */
bool root_text_read(const struct blob *blob, uint64_t *at, uint64_t end, struct root_text *text);

/* The order of two texts; 0 when they are the same. */
int root_text_order(const struct root_text *a, const struct root_text *b);
bool root_text_is(const struct root_text *text, const char *word);

#define ROOT_TIME_TEXT 40
/* "2016-04-07 21:57:38" */
void root_time_text(uint32_t time, char text[ROOT_TIME_TEXT]);

/* Seeks have four bytes, or eight where a version says so. */
uint64_t root_seek_read(const struct blob *blob, uint64_t *at, bool wide);

#endif
