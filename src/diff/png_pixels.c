#include "diff/png_pixels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/inflated.h"

#define ROW_MOST (64u << 20) /* bytes of a row; two are held */
#define PASSES	 7

/* Samples of a pixel by its color type, and which depths that may have, as bits of their numbers. */
static const struct {
	unsigned samples, depths;
} colors[] = {
	[0] = { 1, 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 16 },
	[2] = { 3, 1u << 8 | 1u << 16 },
	[3] = { 1, 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 },
	[4] = { 2, 1u << 8 | 1u << 16 },
	[6] = { 4, 1u << 8 | 1u << 16 },
};

/* Adam7: where a pass begins, and its steps. */
static const struct {
	unsigned x, y, dx, dy;
} passes[PASSES] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 }, { 0, 2, 2, 4 },
	{ 1, 0, 2, 2 }, { 0, 1, 1, 2 } };

static unsigned pixel_bits(const struct png_header *header)
{
	return colors[header->color].samples * header->depth;
}

static uint64_t row_bytes(const struct png_header *header, uint64_t width)
{
	return (width * pixel_bits(header) + 7) / 8;
}

bool png_header_read(struct png_header *header, const struct blob *chunk)
{
	unsigned color = (unsigned)blob_be(chunk, 9, 1),
		 interlace = (unsigned)blob_be(chunk, 12, 1);

	*header = (struct png_header){ .width = (uint32_t)blob_be(chunk, 0, 4),
		.height = (uint32_t)blob_be(chunk, 4, 4),
		.depth = (unsigned)blob_be(chunk, 8, 1),
		.color = color,
		.interlaced = interlace == 1 };
	/* Compression and filter methods: there is only one of each. */
	if (chunk->size != 13 || blob_be(chunk, 10, 2) || interlace > 1 || !header->width ||
		!header->height || header->width > INT32_MAX || header->height > INT32_MAX)
		return false;
	if (color >= sizeof(colors) / sizeof(colors[0]) || header->depth > 16 ||
		!(colors[color].depths & 1u << header->depth))
		return false;
	return row_bytes(header, header->width) <= ROW_MOST;
}

/* The work on one stream. */
struct rows {
	const struct png_header *header;
	struct blob_writer writer;
	unsigned char *row, *before; /* without the byte of the filter */
	size_t bytes;		     /* of a row of this pass */
	size_t filled;		     /* of it, and its filter */
	unsigned filter;
	unsigned pass;
	uint64_t rows_left; /* in this pass */
	size_t step;	    /* bytes of a pixel, at least one */
};

static uint64_t pass_size(uint64_t all, unsigned start, unsigned step)
{
	return all > start ? (all - start + step - 1) / step : 0;
}

/* The next pass that has pixels; false after the last. */
static bool start_pass(struct rows *rows)
{
	const struct png_header *header = rows->header;
	uint64_t width = header->width;

	rows->rows_left = 0;
	while (!rows->rows_left && rows->pass < (header->interlaced ? PASSES : 1)) {
		rows->rows_left = header->height;
		if (header->interlaced) {
			width = pass_size(
				header->width, passes[rows->pass].x, passes[rows->pass].dx);
			rows->rows_left = pass_size(
				header->height, passes[rows->pass].y, passes[rows->pass].dy);
		}
		if (!width)
			rows->rows_left = 0;
		rows->pass++;
	}
	rows->bytes = row_bytes(header, width);
	memset(rows->before, 0, rows->bytes);
	return rows->rows_left > 0;
}

static unsigned char paeth(int left, int up, int corner)
{
	int sum = left + up - corner;
	int from_left = abs(sum - left), from_up = abs(sum - up), from_corner = abs(sum - corner);

	if (from_left <= from_up && from_left <= from_corner)
		return (unsigned char)left;
	return (unsigned char)(from_up <= from_corner ? up : corner);
}

static bool unfilter(struct rows *rows)
{
	unsigned char *row = rows->row;
	const unsigned char *before = rows->before;

	if (rows->filter > 4)
		return false;
	for (size_t i = 0; rows->filter && i < rows->bytes; i++) {
		bool inside = i >= rows->step;
		unsigned left = inside ? row[i - rows->step] : 0;
		unsigned corner = inside ? before[i - rows->step] : 0;
		const unsigned add[] = { 0, left, before[i], (left + before[i]) / 2,
			paeth((int)left, before[i], (int)corner) };

		row[i] = (unsigned char)(row[i] + add[rows->filter]);
	}
	return true;
}

static enum compared finish_row(struct rows *rows, struct error *err)
{
	unsigned char *row = rows->row;

	if (!unfilter(rows))
		return NOT_THIS;
	if (blob_write(&rows->writer, row, rows->bytes, err))
		return COMPARE_FAILED;
	rows->row = rows->before;
	rows->before = row;
	rows->filled = 0;
	if (--rows->rows_left == 0)
		start_pass(rows);
	return COMPARED;
}

static enum compared take_rows(
	void *context, const unsigned char *data, size_t bytes, struct error *err)
{
	struct rows *rows = context;
	enum compared done = COMPARED;

	while (bytes && done == COMPARED) {
		size_t wanted;

		if (!rows->rows_left)
			return NOT_THIS;
		if (!rows->filled) {
			rows->filter = *data++;
			rows->filled = 1;
			bytes--;
		}
		wanted = rows->bytes + 1 - rows->filled;
		if (wanted > bytes)
			wanted = bytes;
		memcpy(rows->row + rows->filled - 1, data, wanted);
		rows->filled += wanted;
		data += wanted;
		bytes -= wanted;
		if (rows->filled == rows->bytes + 1)
			done = finish_row(rows, err);
	}
	return done;
}

static enum compared read_rows(
	struct rows *rows, const struct blob *packed, struct blob *pixels, struct error *err)
{
	enum compared done = inflated_each(packed, take_rows, rows, NULL, err);

	if (done == COMPARED && rows->rows_left)
		done = NOT_THIS;
	if (done != COMPARED)
		blob_write_cancel(&rows->writer);
	else if (blob_write_finish(&rows->writer, pixels, "pixels", err))
		done = COMPARE_FAILED;
	return done;
}

enum compared png_pixels_read(struct diff *diff, const struct png_header *header,
	const struct blob *packed, struct blob *pixels, struct error *err)
{
	struct rows rows = { .header = header, .step = (pixel_bits(header) + 7) / 8 };
	size_t most = row_bytes(header, header->width);
	unsigned char *both = calloc(2, most);
	enum compared done;

	if (!both) {
		error_set(err, ENOMEM, "cannot hold rows of an image");
		return COMPARE_FAILED;
	}
	rows.row = both;
	rows.before = both + most;
	blob_write_start(&rows.writer, &diff->budget);
	start_pass(&rows);
	done = read_rows(&rows, packed, pixels, err);
	free(both);
	return done;
}
