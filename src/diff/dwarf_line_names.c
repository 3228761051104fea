/* Directories and files of line tables: two lists, which version 5 describes, and others know. */
#include "diff/dwarf_line_table.h"

#include <string.h>

#include "diff/dwarf_units.h"
#include "diff/printable.h"

#define DW_LNCT_path		1
#define DW_LNCT_directory_index 2
#define DW_LNCT_timestamp	3
#define DW_LNCT_size		4
#define FORMATS_MOST		255 /* their number has one byte */

typedef unsigned long long number;

/* The work on one table. */
struct names {
	struct dwarf_line_tables *tables;
	const struct dwarf_line_table *table;
	struct dwarf_cursor cursor;
	FILE *out;	    /* or NULL */
	const char **first; /* or NULL */
};

static void put_text(const struct names *names, const char *text)
{
	size_t size = strlen(text);

	if (size > names->tables->text_left) {
		fputs("a long name", names->out);
		return;
	}
	names->tables->text_left -= size;
	printable_put(names->out, text, size);
}

static bool put_old_directories(struct names *names)
{
	const char *text;

	for (number i = 1; *(text = dwarf_take_text(&names->cursor)); i++) {
		if (!names->out)
			continue;
		fprintf(names->out, "directory %llu: ", i);
		put_text(names, text);
		putc('\n', names->out);
	}
	return !names->cursor.bad;
}

static bool put_old_files(struct names *names)
{
	const char *text;

	for (number i = 1; *(text = dwarf_take_text(&names->cursor)); i++) {
		number directory = dwarf_take_unsigned(&names->cursor);
		number time = dwarf_take_unsigned(&names->cursor);
		number size = dwarf_take_unsigned(&names->cursor);

		if (names->first && i == 1)
			*names->first = text;
		if (!names->out)
			continue;
		fprintf(names->out, "file %llu: ", i);
		put_text(names, text);
		fprintf(names->out, ", directory %llu", directory);
		if (time)
			fprintf(names->out, ", time %llu", time);
		if (size)
			fprintf(names->out, ", size %llu", size);
		putc('\n', names->out);
	}
	return !names->cursor.bad;
}

static const char *text_of(const struct names *names, const struct dwarf_value *value)
{
	const struct dwarf_unit unit = { .shape = names->table->shape,
		.texts = names->table->shape.wide ? 16 : 8 };

	return dwarf_value_text(names->tables->dwarf, &unit, value);
}

static void put_value(const struct names *names, uint64_t content, const struct dwarf_value *value)
{
	static const char *const contents[] = { [DW_LNCT_directory_index] = "directory",
		[DW_LNCT_timestamp] = "time",
		[DW_LNCT_size] = "size" };
	const char *text = text_of(names, value);

	if (content != DW_LNCT_path)
		fputs(", ", names->out);
	if (content > DW_LNCT_path && content <= DW_LNCT_size)
		fprintf(names->out, "%s ", contents[content]);
	if (text)
		put_text(names, text);
	else if (value->block.size)
		for (uint64_t i = 0; i < value->block.size; i++)
			fprintf(names->out, "%02x", value->block.data[i]);
	else
		fprintf(names->out, "%llu", (number)value->number);
}

/* One directory or file, by the forms that its parts have. Those without bytes would never end. */
static bool put_entry(
	struct names *names, const struct dwarf_attribute *formats, size_t count, bool named)
{
	uint64_t before = names->cursor.at;

	for (size_t i = 0; i < count && !names->cursor.bad; i++) {
		struct dwarf_value value =
			dwarf_form_read(&names->cursor, &names->table->shape, &formats[i]);

		if (names->cursor.bad)
			return false;
		if (named && names->first && formats[i].name == DW_LNCT_path)
			*names->first = text_of(names, &value);
		if (names->out)
			put_value(names, formats[i].name, &value);
	}
	return !names->cursor.bad && names->cursor.at > before;
}

static bool put_list(struct names *names, const char *what)
{
	struct dwarf_attribute formats[FORMATS_MOST];
	size_t format_count = dwarf_take(&names->cursor, 1);
	bool files = strcmp(what, "file") == 0;
	uint64_t count;

	for (size_t i = 0; i < format_count; i++) {
		formats[i].name = dwarf_take_unsigned(&names->cursor);
		formats[i].form = dwarf_take_unsigned(&names->cursor);
		formats[i].constant = 0;
	}
	count = dwarf_take_unsigned(&names->cursor);
	for (uint64_t i = 0; i < count && !names->cursor.bad; i++) {
		if (names->out)
			fprintf(names->out, "%s %llu: ", what, (number)i);
		if (!put_entry(names, formats, format_count, files && i == 0))
			return false;
		if (names->out)
			putc('\n', names->out);
	}
	return !names->cursor.bad;
}

bool dwarf_line_names(struct dwarf_line_tables *tables, const struct dwarf_line_table *table,
	FILE *out, const char **first)
{
	struct names names = { .tables = tables,
		.table = table,
		.cursor = dwarf_cursor(&tables->dwarf->own, table->names, table->program),
		.out = out,
		.first = first };

	if (table->shape.version < 5)
		return put_old_directories(&names) && put_old_files(&names);
	return put_list(&names, "directory") && put_list(&names, "file");
}
