#include "diff/hdf5_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"

#define PATH_MOST  (64u << 10)
#define VALUE_MOST (1u << 20)
#define PIECE	   65536

static const struct {
	const char *name;
	enum level level;
	const char *cause;
} facts[HDF5_FACTS] = {
	[HDF5_FACT_KIND] = { "kind", LEVEL_DIFFERENT, NULL },
	[HDF5_FACT_TYPE] = { "type", LEVEL_DIFFERENT, NULL },
	[HDF5_FACT_SHAPE] = { "shape", LEVEL_DIFFERENT, NULL },
	[HDF5_FACT_MOST] = { "largest shape", LEVEL_STRUCTURE, NULL },
	[HDF5_FACT_LAYOUT] = { "layout", LEVEL_CONTENT, NULL },
	[HDF5_FACT_FILTERS] = { "filters", LEVEL_CONTENT, CAUSE_COMPRESSION },
	[HDF5_FACT_TARGET] = { "target", LEVEL_STRUCTURE, NULL },
	[HDF5_FACT_UNREADABLE] = { "unreadable", LEVEL_STRUCTURE, NULL },
};

/* The work on one stream of records. */
struct reading {
	struct hdf5_listed *listed;
	struct diff *diff;
	struct listed_texts texts;
	struct member *last; /* the object that records are about; good until the next */
	bool has_bytes;	     /* these came already */
	FILE *records;
	struct error *err;
};

static bool take(struct reading *reading, void *to, size_t size)
{
	return fread(to, 1, size, reading->records) == size;
}

/* To be freed; NULL when it is too long, has a zero, or ends early. */
static char *take_text(struct reading *reading, uint32_t most)
{
	uint32_t size;
	char *text;

	if (!take(reading, &size, sizeof(size)) || size > most)
		return NULL;
	text = calloc(1, (size_t)size + 1);
	if (text && take(reading, text, size) && strlen(text) == size)
		return text;
	free(text);
	return NULL;
}

static enum compared read_object(struct reading *reading)
{
	cleanup_free char *path = take_text(reading, PATH_MOST);

	if (!path)
		return NOT_THIS;
	reading->last = members_add(&reading->listed->members, reading->diff, path, reading->err);
	reading->has_bytes = false;
	return reading->last ? COMPARED : COMPARE_FAILED;
}

static enum compared read_fact(struct reading *reading)
{
	int fact = getc(reading->records);
	cleanup_free char *value = take_text(reading, VALUE_MOST);

	if (fact < 0 || fact >= HDF5_FACTS || !value || !reading->last ||
		reading->last->fact_count >= HDF5_FACTS)
		return NOT_THIS;
	reading->listed->unreadable += fact == HDF5_FACT_UNREADABLE;
	if (member_fact(reading->last, facts[fact].name, facts[fact].level, facts[fact].cause, "%s",
		    value) == 0)
		return COMPARED;
	error_set(reading->err, ENOMEM, "cannot list objects");
	return COMPARE_FAILED;
}

static enum compared read_values(struct reading *reading)
{
	unsigned char bytes[3];

	if (!take(reading, bytes, sizeof(bytes)) || !reading->last)
		return NOT_THIS;
	reading->last->at = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
	return COMPARED;
}

static enum compared read_piece(struct reading *reading, uint32_t size)
{
	char piece[PIECE];

	while (size) {
		uint32_t some = size < PIECE ? size : PIECE;

		if (!take(reading, piece, some))
			return NOT_THIS;
		if (blob_write(&reading->texts.writer, piece, some, reading->err))
			return COMPARE_FAILED;
		size -= some;
	}
	return COMPARED;
}

static enum compared read_bytes(struct reading *reading)
{
	enum compared read = COMPARED;
	uint32_t size;

	if (!reading->last || reading->has_bytes)
		return NOT_THIS;
	reading->has_bytes = true;
	if (listed_texts_begin(&reading->texts, reading->err))
		return COMPARE_FAILED;
	do {
		if (!take(reading, &size, sizeof(size)))
			return NOT_THIS;
		read = read_piece(reading, size);
	} while (size && read == COMPARED);
	return read;
}

static enum compared read_record(struct reading *reading, int kind)
{
	switch (kind) {
	case HDF5_OBJECT:
		return read_object(reading);
	case HDF5_FACT:
		return read_fact(reading);
	case HDF5_VALUES:
		return read_values(reading);
	case HDF5_BYTES:
		return read_bytes(reading);
	default:
		return NOT_THIS;
	}
}

static enum compared read_records(struct reading *reading)
{
	enum compared read = COMPARED;
	int kind = getc(reading->records);

	reading->listed->no_library = kind == HDF5_NO_LIBRARY;
	while (read == COMPARED && kind != HDF5_COMPLETE) {
		read = read_record(reading, kind);
		if (read == COMPARED)
			kind = getc(reading->records);
	}
	return read;
}

enum compared hdf5_list(
	struct hdf5_listed *listed, struct diff *diff, FILE *records, struct error *err)
{
	struct reading reading = { .listed = listed, .diff = diff, .records = records, .err = err };

	/* The first member owns the bytes of all: listed.h. */
	if (!members_add(&listed->members, diff, "file", err))
		return COMPARE_FAILED;
	listed_texts_start(&reading.texts, diff, &listed->members);
	return listed_texts_end(&reading.texts, read_records(&reading), err);
}

struct hdf5_numbers hdf5_numbers_of(const struct member *member)
{
	return (struct hdf5_numbers){ (unsigned char)member->at, (unsigned char)(member->at >> 8),
		(unsigned char)(member->at >> 16) };
}
