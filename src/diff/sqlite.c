#include "diff/sqlite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/listed.h"
#include "diff/sqlite_record.h"
#include "diff/sqlite_tree.h"

#define MAGIC	    "SQLite format 3" /* with its end */
#define SCHEMA_ROOT 1
#define COLUMNS	    5 /* of the schema: type, name, table, root, SQL */

bool sqlite_is(const struct blob *blob)
{
	return blob_has(blob, 0, MAGIC, sizeof(MAGIC)) && blob->size >= 512;
}

/* Numbers of the header. */
static const struct {
	const char *name;
	unsigned at, bytes;
	enum level level;
	const char *cause;
} numbers[] = {
	{ "page size", 16, 2, LEVEL_CONTENT, NULL },
	{ "change counter", 24, 4, LEVEL_CONTENT, NULL },
	{ "pages", 28, 4, LEVEL_CONTENT, NULL },
	{ "free pages", 36, 4, LEVEL_CONTENT, NULL },
	{ "schema cookie", 40, 4, LEVEL_CONTENT, NULL },
	{ "text encoding", 56, 4, LEVEL_STRUCTURE, NULL },
	{ "user version", 60, 4, LEVEL_STRUCTURE, NULL },
	{ "application id", 68, 4, LEVEL_STRUCTURE, NULL },
	{ "version valid for", 92, 4, LEVEL_CONTENT, NULL },
	{ "SQLite version", 96, 4, LEVEL_CONTENT, CAUSE_VERSION },
};

/* An entry of the schema whose rows are still to be listed. */
struct table {
	char *name;
	uint64_t root;
};

struct sqlite {
	struct sqlite_file file;
	struct listed_texts texts;
	FILE *row; /* the one that is written, to memory */
	char *row_text;
	size_t row_size;
	struct table *tables;
	size_t table_count;
};

static int add_header(struct sqlite *sqlite, struct error *err)
{
	struct member *header =
		members_add(sqlite->texts.members, sqlite->texts.diff, "header", err);

	if (!header)
		return -1;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (member_fact(header, numbers[i].name, numbers[i].level, numbers[i].cause, "%llu",
			    (unsigned long long)blob_be(
				    sqlite->file.blob, numbers[i].at, numbers[i].bytes)))
			return -1;
	return 0;
}

static char *value_text(const struct sqlite_value *value)
{
	return strndup((const char *)value->bytes.data, value->bytes.size);
}

static int add_table(struct sqlite *sqlite, const char *name, uint64_t root)
{
	struct table *tables =
		reallocarray(sqlite->tables, sqlite->table_count + 1, sizeof(*sqlite->tables));

	if (!tables)
		return -1;
	sqlite->tables = tables;
	tables[sqlite->table_count] = (struct table){ strdup(name), root };
	return tables[sqlite->table_count++].name ? 0 : -1;
}

/* Rows of the schema: tables, indexes, views, triggers. */
static enum compared take_entry(
	void *context, int64_t row, const struct blob *record, struct error *err)
{
	struct sqlite *sqlite = context;
	struct sqlite_record values = sqlite_record_start(record);
	struct sqlite_value columns[COLUMNS];
	cleanup_free char *type = NULL, *name = NULL, *sql = NULL, *title = NULL;
	struct member *member;
	int64_t root;

	(void)row;
	for (int i = 0; i < COLUMNS; i++)
		if (!sqlite_record_next(&values, &columns[i]))
			return NOT_THIS;
	type = value_text(&columns[0]);
	name = value_text(&columns[1]);
	sql = value_text(&columns[4]);
	root = sqlite_value_number(&columns[3]);
	if (!type || !name || !sql || asprintf(&title, "%s %s", type, name) < 0)
		return COMPARE_FAILED;
	member = members_add(sqlite->texts.members, sqlite->texts.diff, title, err);
	if (!member || member_fact(member, "SQL", LEVEL_DIFFERENT, NULL, "%s", sql))
		return COMPARE_FAILED;
	/* What is virtual has no tree. */
	if (strcmp(type, "table") == 0 && root > 0)
		return add_table(sqlite, title, (uint64_t)root) ? COMPARE_FAILED : COMPARED;
	return COMPARED;
}

static enum compared take_row(
	void *context, int64_t row, const struct blob *record, struct error *err)
{
	struct sqlite *sqlite = context;
	struct sqlite_record values = sqlite_record_start(record);
	struct sqlite_value value;

	rewind(sqlite->row);
	fprintf(sqlite->row, "%lld", (long long)row);
	while (sqlite_record_next(&values, &value)) {
		fputc('|', sqlite->row);
		sqlite_value_put(sqlite->row, &value);
	}
	fputc('\n', sqlite->row);
	if (values.bad)
		return NOT_THIS;
	if (fflush(sqlite->row) ||
		blob_write(&sqlite->texts.writer, sqlite->row_text, sqlite->row_size, err))
		return COMPARE_FAILED;
	return COMPARED;
}

static enum compared add_rows(struct sqlite *sqlite, struct error *err)
{
	enum compared done = COMPARED;

	for (size_t i = 0; i < sqlite->table_count && done == COMPARED; i++) {
		const struct table *table = &sqlite->tables[i];
		cleanup_free char *name = NULL;

		if (asprintf(&name, "rows of %s", table->name) < 0 ||
			!listed_texts_add(&sqlite->texts, name, err))
			return COMPARE_FAILED;
		done = sqlite_tree_walk(&sqlite->file, table->root, take_row, sqlite, err);
	}
	return done;
}

static enum compared add_all(struct sqlite *sqlite, struct error *err)
{
	enum compared done;

	sqlite->row = open_memstream(&sqlite->row_text, &sqlite->row_size);
	if (!sqlite->row || add_header(sqlite, err))
		return COMPARE_FAILED;
	done = sqlite_tree_walk(&sqlite->file, SCHEMA_ROOT, take_entry, sqlite, err);
	return done == COMPARED ? add_rows(sqlite, err) : done;
}

static void release(struct sqlite *sqlite)
{
	for (size_t i = 0; i < sqlite->table_count; i++)
		free(sqlite->tables[i].name);
	free(sqlite->tables);
	if (sqlite->row)
		fclose(sqlite->row);
	free(sqlite->row_text);
	sqlite_file_release(&sqlite->file);
}

static enum compared list_tables(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct sqlite sqlite = { 0 };
	enum compared done = sqlite_file_read(&sqlite.file, blob, err);

	if (done != COMPARED)
		return done;
	listed_texts_start(&sqlite.texts, diff, members);
	done = listed_texts_end(&sqlite.texts, add_all(&sqlite, err), err);
	release(&sqlite);
	return done;
}

enum compared sqlite_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same rows: differs only in where they are, in indexes or free pages", NULL
	};

	return listed_compare(diff, node, pair, list_tables, &remainder, err);
}
