#include "diff/tar_sparse.h"

#include <string.h>

/* Of GNU's own format. */
#define MAP	     386 /* in the header */
#define MAP_ROWS     4
#define MORE_ROWS    21 /* in each of the blocks that follow */
#define ROW	     24
#define NUMBER	     12
#define REAL_SIZE    483
#define FIRST_MORE   482
#define FURTHER_MORE 504

/* A run of bytes that are stored. */
struct run {
	uint64_t offset, size;
};

/* Where one is in the map, whose form is one of these. */
struct map {
	const struct blob *tar;
	const struct tar_entry *entry;
	/* 1: a run; 0: no more; -1: damaged. */
	int (*next)(struct map *map, struct run *run);
	uint64_t at;   /* in the tar, in the records, or in the text */
	unsigned row;  /* of the block */
	uint64_t rows; /* that are still to come in version 1.0 */
	struct span text;
	uint64_t real; /* size of the file */
	uint64_t data; /* where its stored bytes start, of those of the entry */
};

bool tar_is_sparse(const struct tar_entry *entry)
{
	return (entry->type == 'S' && entry->is_gnu) ||
	       tar_pax_find(&entry->pax, "GNU.sparse.size").start ||
	       tar_pax_find(&entry->pax, "GNU.sparse.realsize").start;
}

static int next_of_gnu(struct map *map, struct run *run)
{
	bool first = map->at < map->entry->header + TAR_BLOCK;
	unsigned rows = first ? MAP_ROWS : MORE_ROWS;
	uint64_t block = first ? map->entry->header : map->at;
	uint64_t row = first ? block + MAP : block;
	int64_t offset, size;

	if (map->row == rows) {
		if (!blob_le(map->tar, block + (first ? FIRST_MORE : FURTHER_MORE), 1))
			return 0;
		map->at = block + TAR_BLOCK;
		map->row = 0;
		return next_of_gnu(map, run);
	}
	row += (uint64_t)map->row++ * ROW;
	if (blob_le(map->tar, row, 1) == 0)
		return 0;
	if (!tar_number(map->tar, row, NUMBER, &offset) ||
		!tar_number(map->tar, row + NUMBER, NUMBER, &size) || offset < 0 || size < 0)
		return -1;
	*run = (struct run){ (uint64_t)offset, (uint64_t)size };
	return 1;
}

/* Version 0.0: two records for each run, one after the other. */
static int next_of_records(struct map *map, struct run *run)
{
	struct tar_record record;

	while (tar_pax_next(&map->entry->pax, &map->at, &record)) {
		if (!span_is(record.key, "GNU.sparse.offset"))
			continue;
		if (!tar_decimal(record.value, &run->offset) ||
			!tar_pax_next(&map->entry->pax, &map->at, &record) ||
			!span_is(record.key, "GNU.sparse.numbytes") ||
			!tar_decimal(record.value, &run->size))
			return -1;
		return 1;
	}
	return 0;
}

/* A number of the text, and the character behind it. */
static bool take_number(struct map *map, char end, uint64_t *number)
{
	struct span rest = { map->text.start + map->at, map->text.size - map->at };
	const char *stop = rest.size ? memchr(rest.start, end, rest.size) : NULL;
	size_t size = stop ? (size_t)(stop - rest.start) : rest.size;

	map->at += size + (stop ? 1 : 0);
	return tar_decimal((struct span){ rest.start, size }, number);
}

/* Version 0.1: one record with all numbers. */
static int next_of_list(struct map *map, struct run *run)
{
	if (map->at == map->text.size)
		return 0;
	return take_number(map, ',', &run->offset) && take_number(map, ',', &run->size) ? 1 : -1;
}

/* Version 1.0: a number a line, before the data; the first is how many runs there are. */
static int next_of_lines(struct map *map, struct run *run)
{
	if (!map->rows)
		return 0;
	map->rows--;
	if (!take_number(map, '\n', &run->offset) || !take_number(map, '\n', &run->size))
		return -1;
	return 1;
}

static bool open_lines(struct map *map)
{
	uint64_t lines = 0, at;
	const char *start = (const char *)map->tar->data + map->entry->data;

	map->next = next_of_lines;
	map->text = (struct span){ start, map->entry->stored };
	if (!take_number(map, '\n', &map->rows))
		return false;
	for (at = map->at; at < map->text.size && lines < 2 * map->rows; at++)
		lines += start[at] == '\n';
	map->data = at + -at % TAR_BLOCK;
	return lines == 2 * map->rows && map->data <= map->entry->stored;
}

static bool open_map(struct map *map)
{
	const struct blob *pax = &map->entry->pax;
	struct span size = tar_pax_find(pax, "GNU.sparse.realsize");
	int64_t real;

	if (!size.start)
		size = tar_pax_find(pax, "GNU.sparse.size");
	if (!size.start) {
		map->next = next_of_gnu;
		map->at = map->entry->header;
		if (!tar_number(map->tar, map->entry->header + REAL_SIZE, NUMBER, &real))
			return false;
		map->real = (uint64_t)real;
		return real >= 0;
	}
	if (!tar_decimal(size, &map->real))
		return false;
	map->text = tar_pax_find(pax, "GNU.sparse.map");
	map->next = map->text.start ? next_of_list : next_of_records;
	return tar_pax_find(pax, "GNU.sparse.major").start ? open_lines(map) : true;
}

static int write_zeros(struct blob_writer *to, uint64_t count, struct error *err)
{
	static const unsigned char zeros[65536];

	while (to && count) {
		size_t part = count < sizeof(zeros) ? count : sizeof(zeros);

		if (blob_write(to, zeros, part, err))
			return -1;
		count -= part;
	}
	return 0;
}

enum unpacked tar_sparse_expand(const struct blob *tar, const struct tar_entry *entry,
	struct blob_writer *to, struct error *err)
{
	struct map map = { .tar = tar, .entry = entry };
	uint64_t written = 0;
	struct run run;
	int more;

	if (!open_map(&map))
		return UNPACK_DAMAGED;
	while ((more = map.next(&map, &run)) > 0) {
		if (run.offset < written || run.offset > map.real ||
			run.size > map.real - run.offset || run.size > entry->stored - map.data)
			return UNPACK_DAMAGED;
		if (write_zeros(to, run.offset - written, err) ||
			(to && blob_write(to, tar->data + entry->data + map.data, run.size, err)))
			return UNPACK_FAILED;
		map.data += run.size;
		written = run.offset + run.size;
	}
	if (more < 0)
		return UNPACK_DAMAGED;
	return write_zeros(to, map.real - written, err) ? UNPACK_FAILED : UNPACKED;
}
