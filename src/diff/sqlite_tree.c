#include "diff/sqlite_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define FIRST_HEADER 100 /* the file's, on the first page */
#define DEPTH_MOST   20	 /* SQLite's own limit */
#define USABLE_LEAST 480

enum page_kind {
	PAGE_INDEX = 2,
	PAGE_TABLE = 5,
	PAGE_INDEX_LEAF = 10,
	PAGE_TABLE_LEAF = 13,
};

struct walk {
	struct sqlite_file *file;
	sqlite_visitor *visit;
	void *context;
	struct error *err;
};

enum compared sqlite_file_read(struct sqlite_file *file, const struct blob *blob, struct error *err)
{
	uint64_t size = blob_be(blob, 16, 2), reserved = blob_be(blob, 20, 1);

	if (size == 1)
		size = 65536;
	if (size < 512 || (size & (size - 1)) || size - reserved < USABLE_LEAST ||
		blob->size < size)
		return NOT_THIS;
	*file = (struct sqlite_file){ .blob = blob,
		.page_size = size,
		.usable = size - reserved,
		.pages = blob->size / size };
	file->seen = calloc(file->pages / 8 + 1, 1);
	if (file->seen)
		return COMPARED;
	error_set(err, ENOMEM, "cannot read a database");
	return COMPARE_FAILED;
}

void sqlite_file_release(struct sqlite_file *file)
{
	free(file->seen);
}

uint64_t sqlite_take_number(const struct blob *blob, uint64_t *at)
{
	uint64_t value = 0;

	for (int i = 0; i < 9; i++) {
		unsigned char byte;

		if (*at >= blob->size) {
			*at = blob->size + 1;
			return 0;
		}
		byte = blob->data[(*at)++];
		if (i == 8)
			return value << 8 | byte;
		value = value << 7 | (byte & 0x7f);
		if (!(byte & 0x80))
			break;
	}
	return value;
}

/* A page that was not asked for before; false otherwise. */
static bool take_page(struct sqlite_file *file, uint64_t number, struct blob *page)
{
	uint64_t index = number - 1;

	if (!number || index >= file->pages || (file->seen[index / 8] & 1u << index % 8))
		return false;
	file->seen[index / 8] |= (unsigned char)(1u << index % 8);
	*page = blob_part(file->blob, index * file->page_size, file->usable, NULL);
	return true;
}

/* How much of a record is on the page itself. */
static uint64_t local_size(const struct sqlite_file *file, uint64_t size, bool table)
{
	uint64_t usable = file->usable, least = (usable - 12) * 32 / 255 - 23;
	uint64_t most = table ? usable - 35 : (usable - 12) * 64 / 255 - 23, local;

	if (size <= most)
		return size;
	local = least + (size - least) % (usable - 4);
	return local <= most ? local : least;
}

/* The rest of it, from a chain of pages. */
static bool take_overflow(
	struct sqlite_file *file, uint64_t number, unsigned char *to, uint64_t bytes)
{
	while (bytes) {
		struct blob page;
		uint64_t piece = file->usable - 4;

		if (!take_page(file, number, &page))
			return false;
		if (piece > bytes)
			piece = bytes;
		memcpy(to, page.data + 4, piece);
		to += piece;
		bytes -= piece;
		number = blob_be(&page, 0, 4);
	}
	return true;
}

static enum compared visit_record(struct walk *walk, const struct blob *page, uint64_t at,
	uint64_t size, int64_t row, bool table)
{
	struct sqlite_file *file = walk->file;
	uint64_t local = local_size(file, size, table);
	cleanup_free unsigned char *whole = NULL;
	struct blob record = blob_part(page, at, local, NULL);

	if (at > page->size || size > file->blob->size || page->size - at < local)
		return NOT_THIS;
	if (local < size) {
		whole = malloc(size);
		if (!whole) {
			error_set(walk->err, ENOMEM, "cannot read a row of a database");
			return COMPARE_FAILED;
		}
		memcpy(whole, record.data, local);
		if (!take_overflow(file, blob_be(page, at + local, 4), whole + local, size - local))
			return NOT_THIS;
		record = (struct blob){ .data = whole, .size = size };
	}
	return walk->visit(walk->context, row, &record, walk->err);
}

static enum compared walk_page(struct walk *walk, uint64_t number, unsigned depth);

static enum compared walk_cell(
	struct walk *walk, const struct blob *page, uint64_t at, unsigned kind, unsigned depth)
{
	enum compared done = COMPARED;
	uint64_t size;
	int64_t row = 0;

	if (kind == PAGE_TABLE || kind == PAGE_INDEX) {
		done = walk_page(walk, blob_be(page, at, 4), depth + 1);
		at += 4;
	}
	if (done != COMPARED || kind == PAGE_TABLE)
		return done;
	size = sqlite_take_number(page, &at);
	if (kind == PAGE_TABLE_LEAF)
		row = (int64_t)sqlite_take_number(page, &at);
	return visit_record(walk, page, at, size, row, kind == PAGE_TABLE_LEAF);
}

static enum compared walk_page(struct walk *walk, uint64_t number, unsigned depth)
{
	uint64_t header = number == 1 ? FIRST_HEADER : 0, cells, pointers;
	enum compared done = COMPARED;
	struct blob page;
	unsigned kind;
	bool inner;

	if (depth > DEPTH_MOST || !take_page(walk->file, number, &page))
		return NOT_THIS;
	kind = page.data[header];
	inner = kind == PAGE_TABLE || kind == PAGE_INDEX;
	if (!inner && kind != PAGE_TABLE_LEAF && kind != PAGE_INDEX_LEAF)
		return NOT_THIS;
	cells = blob_be(&page, header + 3, 2);
	pointers = header + (inner ? 12 : 8);
	if (cells > (page.size - pointers) / 2)
		return NOT_THIS;
	for (uint64_t i = 0; i < cells && done == COMPARED; i++)
		done = walk_cell(walk, &page, blob_be(&page, pointers + 2 * i, 2), kind, depth);
	if (inner && done == COMPARED)
		done = walk_page(walk, blob_be(&page, header + 8, 4), depth + 1);
	return done;
}

enum compared sqlite_tree_walk(struct sqlite_file *file, uint64_t root, sqlite_visitor *visit,
	void *context, struct error *err)
{
	struct walk walk = { .file = file, .visit = visit, .context = context, .err = err };

	return walk_page(&walk, root, 0);
}
