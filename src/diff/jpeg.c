#include "diff/jpeg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/jpeg_exif.h"
#include "diff/listed.h"

enum marker {
	MARKER_FRAME = 0xc0, /* the first of 16, but for three others among them */
	MARKER_HUFFMAN = 0xc4,
	MARKER_JPG = 0xc8,
	MARKER_ARITHMETIC = 0xcc,
	MARKER_RESTART = 0xd0, /* the first of 8, within scans */
	MARKER_START = 0xd8,
	MARKER_END = 0xd9,
	MARKER_SCAN = 0xda,
	MARKER_QUANTIZE = 0xdb,
	MARKER_APPLICATION = 0xe0, /* the first of 16 */
	MARKER_COMMENT = 0xfe,
};
#define NAME_BYTES 32

bool jpeg_is(const struct blob *blob)
{
	return blob_has(blob, 0, "\xff\xd8\xff", 3);
}

struct jpeg {
	const struct blob *blob;
	struct listed_texts texts;
	char size[32]; /* of the image, once it is known */
};

static bool is_frame(unsigned marker)
{
	return marker >= MARKER_FRAME && marker < MARKER_FRAME + 16 && marker != MARKER_HUFFMAN &&
	       marker != MARKER_JPG && marker != MARKER_ARITHMETIC;
}

/* "APP1 Exif": what applications put in begins with a word. */
static void segment_name(unsigned marker, const struct blob *segment, char name[NAME_BYTES])
{
	int used, word = 0;

	if (marker >= MARKER_APPLICATION && marker < MARKER_APPLICATION + 16) {
		while (word < 16 && (uint64_t)word < segment->size && isalnum(segment->data[word]))
			word++;
		used = snprintf(name, NAME_BYTES, "APP%u", marker - MARKER_APPLICATION);
		if (word)
			snprintf(name + used, NAME_BYTES - (size_t)used, " %.*s", word,
				(const char *)segment->data);
	} else if (is_frame(marker)) {
		snprintf(name, NAME_BYTES, "SOF%u", marker - MARKER_FRAME);
	} else {
		snprintf(name, NAME_BYTES, "%s",
			marker == MARKER_HUFFMAN    ? "DHT"
			: marker == MARKER_QUANTIZE ? "DQT"
			: marker == MARKER_SCAN	    ? "scan"
			: marker == MARKER_COMMENT  ? "COM"
						    : "segment");
		if (strcmp(name, "segment") == 0)
			snprintf(name, NAME_BYTES, "segment %02x", marker);
	}
}

static int add_exif(
	struct jpeg *jpeg, const char *name, const struct blob *segment, struct error *err)
{
	struct member *member = listed_texts_add(&jpeg->texts, name, err);
	cleanup_free unsigned char *copy = malloc(segment->size);

	if (!member || !copy)
		return -1;
	memcpy(copy, segment->data, segment->size);
	if (jpeg_exif_take_dates(member, segment, copy))
		return -1;
	return blob_write(&jpeg->texts.writer, copy, segment->size, err);
}

static int add_segment(
	struct jpeg *jpeg, unsigned marker, const struct blob *segment, struct error *err)
{
	char name[NAME_BYTES];

	segment_name(marker, segment, name);
	if (is_frame(marker))
		snprintf(jpeg->size, sizeof(jpeg->size), "%ux%u", (unsigned)blob_be(segment, 3, 2),
			(unsigned)blob_be(segment, 1, 2));
	if (blob_has(segment, 0, JPEG_EXIF_MARK, JPEG_EXIF_MARK_BYTES))
		return add_exif(jpeg, name, segment, err);
	return listed_add(jpeg->texts.members, jpeg->texts.diff, name, segment, err) ? 0 : -1;
}

/* Behind the data of a scan: at a marker that is none of those within. */
static uint64_t scan_end(const struct blob *blob, uint64_t at)
{
	for (; at + 1 < blob->size; at++) {
		const unsigned char *found = memchr(blob->data + at, 0xff, blob->size - 1 - at);
		unsigned marker;

		if (!found)
			break;
		at = (uint64_t)(found - blob->data);
		marker = blob->data[at + 1];
		if (marker && marker != 0xff &&
			!(marker >= MARKER_RESTART && marker < MARKER_START))
			return at;
	}
	return blob->size;
}

/* The marker at *at, which is moved behind it, and behind bytes that fill up; 0 if there is none. */
static unsigned next_marker(const struct blob *blob, uint64_t *at)
{
	if (blob_be(blob, *at, 1) != 0xff)
		return 0;
	while (*at < blob->size && blob->data[*at] == 0xff)
		++*at;
	return *at < blob->size ? blob->data[(*at)++] : 0;
}

static enum compared add_segments(struct jpeg *jpeg, struct error *err)
{
	const struct blob *blob = jpeg->blob;
	uint64_t at = 2;

	for (unsigned marker; (marker = next_marker(blob, &at)) != MARKER_END;) {
		uint64_t size = blob_be(blob, at, 2), end = at + size;
		struct blob segment;

		/* Those below stand alone, and have no place here. */
		if (marker < MARKER_FRAME || size < 2 || size > blob->size - at ||
			(marker >= MARKER_RESTART && marker <= MARKER_END))
			return NOT_THIS;
		if (marker == MARKER_SCAN)
			end = scan_end(blob, end);
		segment = blob_part(blob, at + 2, end - at - 2, NULL);
		if (add_segment(jpeg, marker, &segment, err))
			return COMPARE_FAILED;
		at = end;
	}
	if (at < blob->size) {
		struct blob rest = blob_part(blob, at, UINT64_MAX, NULL);

		if (!listed_add(
			    jpeg->texts.members, jpeg->texts.diff, "behind the end", &rest, err))
			return COMPARE_FAILED;
	}
	return COMPARED;
}

static enum compared add_all(struct jpeg *jpeg, struct members *members, struct error *err)
{
	enum compared done;

	if (!members_add(members, jpeg->texts.diff, "image", err))
		return COMPARE_FAILED;
	done = add_segments(jpeg, err);
	if (done == COMPARED &&
		member_fact(&members->list[0], "size", LEVEL_DIFFERENT, NULL, "%s", jpeg->size))
		done = COMPARE_FAILED;
	return done;
}

static enum compared list_segments(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct jpeg jpeg = { .blob = blob };

	listed_texts_start(&jpeg.texts, diff, members);
	return listed_texts_end(&jpeg.texts, add_all(&jpeg, members, err), err);
}

enum compared jpeg_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same segments: differs only in bytes that fill up between them", NULL
	};

	return listed_compare(diff, node, pair, list_segments, &remainder, err);
}
