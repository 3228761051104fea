#include "diff/png.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "diff/cause.h"
#include "diff/listed.h"
#include "diff/png_pixels.h"

typedef unsigned long long number;

#define SIGNATURE     "\x89PNG\r\n\x1a\n"
#define SIGNATURE_LEN 8
#define AROUND	      12 /* bytes of a chunk that are not its data: length, type, checksum */
#define TIME_BYTES    7

bool png_is(const struct blob *blob)
{
	return blob_has(blob, 0, SIGNATURE, SIGNATURE_LEN) && blob_has(blob, 12, "IHDR", 4);
}

struct png {
	struct diff *diff;
	const struct blob *blob;
	struct members *members;
	struct png_header header;
	struct blob_writer packed; /* of all IDAT chunks */
	uint64_t pieces;	   /* of it */
	char time[32];		   /* of tIME; "" if there is none */
	char dates[512];	   /* of texts about them */
};

static const char *const color_names[] = {
	[0] = "grey", [2] = "RGB", [3] = "palette", [4] = "grey with alpha", [6] = "RGB with alpha"
};

/* Texts by these keywords tell when the file was written. */
static bool is_date_text(const struct blob *chunk)
{
	static const char *const keys[] = { "Creation Time", "create-date", "modify-date",
		"date:create", "date:modify", "date:timestamp" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (blob_has(chunk, 0, keys[i], strlen(keys[i]) + 1))
			return true;
	return false;
}

/* A text chunk is a keyword, a zero, and the text; what does not fit is no short date. */
static bool take_date(struct png *png, const struct blob *chunk)
{
	size_t used = strlen(png->dates), key = strlen((const char *)chunk->data);

	if (memchr(chunk->data + key + 1, '\0', chunk->size - key - 1) ||
		used + chunk->size + 4 > sizeof(png->dates))
		return false;
	snprintf(png->dates + used, sizeof(png->dates) - used, "%s%s=%.*s", used ? "; " : "",
		(const char *)chunk->data, (int)(chunk->size - key - 1), chunk->data + key + 1);
	return true;
}

static void take_time(struct png *png, const struct blob *chunk)
{
	snprintf(png->time, sizeof(png->time), "%04u-%02u-%02u %02u:%02u:%02u",
		(unsigned)blob_be(chunk, 0, 2), chunk->data[2], chunk->data[3], chunk->data[4],
		chunk->data[5], chunk->data[6]);
}

static enum compared add_chunk(
	struct png *png, const char *type, const struct blob *chunk, struct error *err)
{
	if (strcmp(type, "IDAT") == 0) {
		png->pieces++;
		return blob_write(&png->packed, chunk->data, chunk->size, err) ? COMPARE_FAILED
									       : COMPARED;
	}
	if (strcmp(type, "tIME") == 0 && chunk->size == TIME_BYTES && !png->time[0]) {
		take_time(png, chunk);
		return COMPARED;
	}
	if (strcmp(type, "tEXt") == 0 && is_date_text(chunk) && take_date(png, chunk))
		return COMPARED;
	if (strcmp(type, "IHDR") == 0)
		return NOT_THIS; /* there is only one, the first */
	return listed_add(png->members, png->diff, type, chunk, err) ? COMPARED : COMPARE_FAILED;
}

static bool is_type(const unsigned char type[4])
{
	for (int i = 0; i < 4; i++)
		if ((type[i] | 0x20) < 'a' || (type[i] | 0x20) > 'z')
			return false;
	return true;
}

/* The chunk at *at, which is moved behind it; false if it is damaged. */
static bool next_chunk(const struct blob *blob, uint64_t *at, char type[5], struct blob *chunk)
{
	uint64_t size = blob_be(blob, *at, 4), left = blob->size - *at;

	if (left < AROUND || size > left - AROUND || !is_type(blob->data + *at + 4))
		return false;
	memcpy(type, blob->data + *at + 4, 4);
	type[4] = '\0';
	*chunk = blob_part(blob, *at + 8, size, NULL);
	if (crc32_z(0, blob->data + *at + 4, size + 4) != blob_be(blob, *at + 8 + size, 4))
		return false;
	*at += size + AROUND;
	return true;
}

static enum compared add_chunks(struct png *png, struct error *err)
{
	uint64_t at = SIGNATURE_LEN;
	struct blob chunk;
	char type[5];
	enum compared done = COMPARED;

	if (!next_chunk(png->blob, &at, type, &chunk) || !png_header_read(&png->header, &chunk))
		return NOT_THIS;
	while (done == COMPARED) {
		if (!next_chunk(png->blob, &at, type, &chunk))
			return NOT_THIS;
		if (strcmp(type, "IEND") == 0)
			break;
		done = add_chunk(png, type, &chunk, err);
	}
	if (done == COMPARED && at < png->blob->size) {
		chunk = blob_part(png->blob, at, UINT64_MAX, NULL);
		if (!listed_add(png->members, png->diff, "behind the end", &chunk, err))
			done = COMPARE_FAILED;
	}
	return done;
}

static int add_facts(struct member *image, const struct png *png)
{
	const struct png_header *header = &png->header;

	if (member_fact(
		    image, "size", LEVEL_DIFFERENT, NULL, "%ux%u", header->width, header->height) ||
		member_fact(
			image, "color", LEVEL_DIFFERENT, NULL, "%s", color_names[header->color]) ||
		member_fact(image, "bits", LEVEL_DIFFERENT, NULL, "%u", header->depth) ||
		member_fact(image, "interlaced", LEVEL_DIFFERENT, NULL, "%s",
			header->interlaced ? "yes" : "no") ||
		member_fact(image, "packed", LEVEL_CONTENT, CAUSE_COMPRESSION,
			"%llu bytes in %llu chunks", (number)png->packed.size, (number)png->pieces))
		return -1;
	if (png->time[0] &&
		member_fact(image, "last changed", LEVEL_CONTENT, CAUSE_TIME, "%s", png->time))
		return -1;
	return png->dates[0]
		       ? member_fact(image, "written", LEVEL_CONTENT, CAUSE_TIME, "%s", png->dates)
		       : 0;
}

static enum compared add_pixels(struct png *png, struct error *err)
{
	struct member *image;
	struct blob packed;
	enum compared done = COMPARE_FAILED;

	if (blob_write_finish(&png->packed, &packed, NULL, err))
		return COMPARE_FAILED;
	image = members_add(png->members, png->diff, "pixels", err);
	if (image && add_facts(image, png) == 0) {
		done = png_pixels_read(png->diff, &png->header, &packed, &image->blob, err);
		image->has_bytes = image->unpacked = done == COMPARED;
	}
	blob_unpacked_close(&packed, &png->diff->budget);
	return done;
}

static enum compared list_chunks(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct png png = { .diff = diff, .blob = blob, .members = members };
	enum compared done;

	blob_write_start(&png.packed, &diff->budget);
	done = add_chunks(&png, err);
	if (done == COMPARED)
		return add_pixels(&png, err);
	blob_write_cancel(&png.packed);
	return done;
}

enum compared png_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = { "the same pixels, packed differently",
		CAUSE_COMPRESSION };

	return listed_compare(diff, node, pair, list_chunks, &remainder, err);
}
