/* Pages of an SQLite database: trees of rows. */
#ifndef STET_DIFF_SQLITE_TREE_H
#define STET_DIFF_SQLITE_TREE_H

#include "diff/compare.h"

struct sqlite_file {
	const struct blob *blob;
	uint64_t page_size, usable, pages;
	unsigned char *seen; /* a bit for each page: damaged files have cycles */
};

/* NOT_THIS when the header makes no sense. */
enum compared sqlite_file_read(
	struct sqlite_file *file, const struct blob *blob, struct error *err);
void sqlite_file_release(struct sqlite_file *file);

/* A row: its columns as a record; rows of tables without row numbers have 0. */
typedef enum compared sqlite_visitor(
	void *context, int64_t row, const struct blob *record, struct error *err);
/* All rows of a tree, in its order. NOT_THIS when it is damaged. */
enum compared sqlite_tree_walk(struct sqlite_file *file, uint64_t root, sqlite_visitor *visit,
	void *context, struct error *err);

/* A number of up to nine bytes; at the end of the blob, *at is moved beyond it. */
uint64_t sqlite_take_number(const struct blob *blob, uint64_t *at);

#endif
