#include "diff/gzip.h"

#include <string.h>

#include "diff/cause.h"
#include "diff/inflate.h"
#include "diff/packed.h"
#include "diff/time_text.h"

#define FIXED	    10 /* the header without what the flags announce */
#define HAS_CRC	    2
#define HAS_EXTRA   4
#define HAS_NAME    8
#define HAS_COMMENT 16
#define RESERVED    0xe0

struct header {
	uint64_t time;
	unsigned flags, level, system;
	struct blob extra, name, comment;
	uint64_t size;
};

bool gzip_is(const struct blob *blob)
{
	return blob_has(blob, 0, "\x1f\x8b\x08", 3) && blob->size > FIXED &&
	       !(blob->data[3] & RESERVED);
}

static struct blob take_text(const struct blob *blob, uint64_t *at)
{
	struct blob text = blob_part(blob, *at, UINT64_MAX, NULL);
	const unsigned char *end = text.size ? memchr(text.data, 0, text.size) : NULL;

	if (end)
		text.size = (uint64_t)(end - text.data);
	*at += text.size + 1;
	return text;
}

static struct header read_header(const struct blob *blob)
{
	const struct blob none = blob_part(blob, 0, 0, NULL);
	struct header header = {
		.extra = none,
		.name = none,
		.comment = none,
		.flags = (unsigned)blob_le(blob, 3, 1),
		.time = blob_le(blob, 4, 4),
		.level = (unsigned)blob_le(blob, 8, 1),
		.system = (unsigned)blob_le(blob, 9, 1),
	};
	uint64_t at = FIXED;

	if (header.flags & HAS_EXTRA) {
		header.extra = blob_part(blob, at + 2, blob_le(blob, at, 2), NULL);
		at += 2 + header.extra.size;
	}
	if (header.flags & HAS_NAME)
		header.name = take_text(blob, &at);
	if (header.flags & HAS_COMMENT)
		header.comment = take_text(blob, &at);
	header.size = at + (header.flags & HAS_CRC ? 2 : 0);
	return header;
}

static uint64_t header_size(const struct blob *blob)
{
	return read_header(blob).size;
}

static int say_number(
	struct node *node, const char *where, const char *what, unsigned a, unsigned b)
{
	if (a == b)
		return 0;
	return node_say(
		node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%sheader %s: %u, %u", where, what, a, b);
}

static int say_text(struct node *node, const char *where, const char *what, const struct blob *a,
	const struct blob *b)
{
	const char *cause =
		cause_of_text((const char *)a->data, a->size, (const char *)b->data, b->size);

	if (blob_equal(a, b))
		return 0;
	return node_say(node, LEVEL_CONTENT, cause, "%sheader %s: %.*s, %.*s", where, what,
		a->size ? (int)a->size : 4, a->size ? (const char *)a->data : "none",
		b->size ? (int)b->size : 4, b->size ? (const char *)b->data : "none");
}

static int say_time(struct node *node, const char *where, uint64_t a, uint64_t b)
{
	char one[TIME_TEXT], other[TIME_TEXT];

	if (a == b)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_GZIP_TIME, "%sheader time: %s, %s", where,
		a ? time_text(one, (int64_t)a) : "none", b ? time_text(other, (int64_t)b) : "none");
}

static int say_header(struct node *node, const struct pair *pair, const char *where)
{
	struct header a = read_header(&pair->a), b = read_header(&pair->b);

	if (say_time(node, where, a.time, b.time) ||
		say_text(node, where, "name", &a.name, &b.name) ||
		say_text(node, where, "comment", &a.comment, &b.comment) ||
		say_number(node, where, "level flags", a.level, b.level) ||
		say_number(node, where, "system", a.system, b.system))
		return -1;
	if (!blob_equal(&a.extra, &b.extra) &&
		node_say(node, LEVEL_CONTENT, NULL, "%sheader extra field: %llu, %llu bytes", where,
			(unsigned long long)a.extra.size, (unsigned long long)b.extra.size))
		return -1;
	/* Those of names and so on have been told by these. */
	return say_number(node, where, "flags", a.flags & 1, b.flags & 1) ||
	       say_number(node, where, "checksum", a.flags & HAS_CRC, b.flags & HAS_CRC);
}

static enum unpacked unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	return inflate_part(from, INFLATE_GZIP, to, used, err);
}

static const struct packing packing = { "member", gzip_is, unpack, header_size, say_header };

enum compared gzip_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &packing, err);
}
