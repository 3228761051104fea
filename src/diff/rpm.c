#include "diff/rpm.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "diff/archive.h"
#include "diff/printable.h"
#include "diff/rpm_tags.h"

#define LEAD	  96
#define INTRO	  16 /* of a header: magic, count of tags, bytes of values */
#define TAG	  16
#define TAGS_MOST 4096
#define REGIONS	  61  /* three tags that say where others are */
#define SHOWN	  200 /* bytes of a value; of the whole a checksum */

enum type { TYPE_NONE, CHARACTER, INT8, INT16, INT32, INT64, STRING, BYTES, STRINGS, I18N_STRINGS };

struct header {
	struct blob tags, values;
	uint64_t end;
};

bool rpm_is(const struct blob *blob)
{
	return blob_has(blob, 0, "\xed\xab\xee\xdb", 4) && blob->size > LEAD + 2 * INTRO;
}

static bool read_header(const struct blob *blob, uint64_t at, struct header *header)
{
	uint64_t tags = blob_be(blob, at + 8, 4), bytes = blob_be(blob, at + 12, 4);

	if (!blob_has(blob, at, "\x8e\xad\xe8\x01", 4) || tags > TAGS_MOST ||
		blob->size - at < INTRO + tags * TAG ||
		bytes > blob->size - at - INTRO - tags * TAG)
		return false;
	header->tags = blob_part(blob, at + INTRO, tags * TAG, NULL);
	header->values = blob_part(blob, at + INTRO + tags * TAG, bytes, NULL);
	header->end = at + INTRO + tags * TAG + bytes;
	return true;
}

/* The end of so many strings, or beyond what there is. */
static uint64_t skip_strings(const struct blob *values, uint64_t at, uint64_t count)
{
	while (count-- && at < values->size) {
		const unsigned char *end = memchr(values->data + at, 0, values->size - at);

		at = end ? (uint64_t)(end - values->data) + 1 : values->size;
	}
	return at;
}

static struct blob value_of(const struct header *header, uint64_t tag)
{
	static const unsigned char widths[] = {
		[CHARACTER] = 1, [INT8] = 1, [INT16] = 2, [INT32] = 4, [INT64] = 8, [BYTES] = 1
	};
	uint64_t type = blob_be(&header->tags, tag + 4, 4), at = blob_be(&header->tags, tag + 8, 4);
	uint64_t count = blob_be(&header->tags, tag + 12, 4);

	if (type == STRING || type == STRINGS || type == I18N_STRINGS)
		return blob_part(
			&header->values, at, skip_strings(&header->values, at, count) - at, NULL);
	return blob_part(&header->values, at,
		type < STRING || type == BYTES ? count * widths[type] : 0, NULL);
}

/* A tag becomes a member; where it is, is kept in `at`, and its value in the blob. */
static int add_tags(struct archive_side *archive, const struct header *header, bool signature,
	struct error *err)
{
	for (uint64_t at = 0; at < header->tags.size; at += TAG) {
		unsigned number = (unsigned)blob_be(&header->tags, at, 4);
		const struct rpm_tag *tag = rpm_tag_find(number, signature);
		const char *part = signature ? "signature" : "header";
		struct member *member;
		char name[64];

		if (number >= REGIONS && number < REGIONS + 3)
			continue;
		if (tag)
			snprintf(name, sizeof(name), "%s: %s", part, tag->name);
		else
			snprintf(name, sizeof(name), "%s: tag %u", part, number);
		member = archive_add(archive, span_of(name), err);
		if (!member)
			return -1;
		member->at = (uint64_t)(header->tags.data + at - archive->blob->data);
		member->blob = value_of(header, at);
	}
	return 0;
}

static enum compared list(struct archive_side *archive, struct error *err)
{
	struct header signature, header;
	struct member *payload;

	if (!read_header(archive->blob, LEAD, &signature) ||
		!read_header(archive->blob, signature.end + -signature.end % 8, &header))
		return NOT_THIS;
	if (add_tags(archive, &signature, true, err) || add_tags(archive, &header, false, err))
		return COMPARE_FAILED;
	payload = archive_add(archive, span_of("payload"), err);
	if (!payload)
		return COMPARE_FAILED;
	payload->has_bytes = true;
	payload->blob = blob_part(archive->blob, header.end, UINT64_MAX, NULL);
	archive->end = archive->blob->size;
	return COMPARED;
}

static void put_number(FILE *out, const struct blob *value, unsigned width)
{
	for (uint64_t at = 0; at < value->size && at < SHOWN; at += width)
		fprintf(out, "%s%llu", at ? " " : "",
			(unsigned long long)blob_be(value, at, width));
}

static void put_strings(FILE *out, const struct blob *value)
{
	uint64_t size =
		value->size && !value->data[value->size - 1] ? value->size - 1 : value->size;

	for (uint64_t at = 0, end; at < size && at < SHOWN; at = end + 1) {
		struct span string = span_in(value, at, SHOWN);

		end = at + string.size;
		if (at)
			fputs(", ", out);
		printable_put(out, string.start, string.size);
	}
}

static void put_bytes(FILE *out, const struct blob *value)
{
	for (uint64_t at = 0; at < value->size && at < SHOWN / 4; at++)
		fprintf(out, "%02x", value->data[at]);
}

static int add_value(
	const struct archive_side *archive, struct member *member, const struct rpm_tag *tag)
{
	static const unsigned widths[] = { [INT8] = 1, [INT16] = 2, [INT32] = 4, [INT64] = 8 };
	uint64_t type = blob_be(archive->blob, member->at + 4, 4);
	cleanup_free char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -1;
	if (type >= INT8 && type <= INT64)
		put_number(out, &member->blob, widths[type]);
	else if (type == BYTES || type == CHARACTER)
		put_bytes(out, &member->blob);
	else
		put_strings(out, &member->blob);
	if (member->blob.size > (type == BYTES ? SHOWN / 4 : SHOWN))
		fprintf(out, " (%llu bytes, CRC-32 %08lx)", (unsigned long long)member->blob.size,
			crc32_z(0, member->blob.data, member->blob.size));
	if (fclose(out))
		return -1;
	return member_fact(member, "value", tag ? tag->level : LEVEL_STRUCTURE,
		tag ? tag->cause : NULL, "%s", text);
}

static int facts(const struct archive_side sides[2], struct member *a, struct member *b)
{
	unsigned number = (unsigned)blob_be(sides[0].blob, a->at, 4);
	const struct rpm_tag *tag = rpm_tag_find(number, a->name[0] == 's');

	if (a->has_bytes || blob_equal(&a->blob, &b->blob))
		return 0;
	return add_value(&sides[0], a, tag) || add_value(&sides[1], b, tag) ? -1 : 0;
}

static int say(const struct archive_side sides[2], struct node *node, struct error *err)
{
	const struct pair leads = { blob_part(sides[0].blob, 0, LEAD, "lead"),
		blob_part(sides[1].blob, 0, LEAD, "lead") };

	return compare_part(sides[0].diff, node, "lead", &leads, err);
}

enum compared rpm_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.outside = LEVEL_CONTENT, .list = list, .facts = facts, .say = say
	};

	return archive_compare(diff, node, pair, &kind, err);
}
