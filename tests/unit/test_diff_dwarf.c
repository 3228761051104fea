/* Debug information, made here: units are the same when only places of texts differ, references are
 * followed no further than they lead, and tables that would never end, do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diff/dwarf_compare.h"

#define SECTIONS 6

/* A file of which only these sections are there, 64 bits and little-endian. */
struct file {
	struct elf elf;
	struct blob whole;
	struct elf_section sections[SECTIONS];
};

static void file_start(struct file *file)
{
	*file = (struct file){ .whole = { .data = (const unsigned char *)"" },
		.sections = { { .name = "" } } };
	file->elf = (struct elf){ .blob = &file->whole,
		.wide = true,
		.type = ET_DYN,
		.machine = EM_X86_64,
		.sections = file->sections,
		.section_count = 1 };
}

static void add(struct file *file, const char *name, const void *bytes, size_t size)
{
	size_t index = file->elf.section_count++;

	assert_true(index < SECTIONS);
	file->sections[index] = (struct elf_section){ .name = name,
		.type = SHT_PROGBITS,
		.size = size,
		.bytes = { .data = bytes, .size = size },
		.index = index };
}
#define ADD(file, name, bytes) add(file, name, bytes, sizeof(bytes) - 1)

/* The first section of both, compared. */
static struct node *compare(
	struct file files[2], dwarf_compare_function *how, enum compared expected)
{
	static const struct diff_options options = {
		.memory = 64u << 20, .depth = 8, .members = 1000
	};
	struct diff diff = { .options = &options, .budget = { .left = options.memory } };
	struct node *node = node_new("section", "debug info");
	struct elf_part parts[2];
	struct error err = { 0 };

	assert_non_null(node);
	for (int i = 0; i < 2; i++)
		parts[i] = (struct elf_part){ .elf = &files[i].elf,
			.section = &files[i].sections[1],
			.bytes = files[i].sections[1].bytes };
	assert_int_equal(how(&diff, node, parts, &err), expected);
	assert_true(diff.budget.left == options.memory);
	if (expected == NOT_THIS)
		assert_int_equal(node->finding_count + node->child_count, 0);
	return node;
}

/* 1: a unit with children, its name and directory at places of .debug_str; 2: a variable with a name
 * and a type; 3: a pointer to a type. */
#define ABBREVIATIONS                                                                              \
	"\1\x11\1\x03\x0e\x1b\x0e\0\0"                                                             \
	"\2\x34\0\x03\x0e\x49\x13\0\0"                                                             \
	"\3\x0f\0\x49\x13\0\0"                                                                     \
	"\0"

/* Version 4, addresses of 8 bytes: the unit, a variable of the type at 0x1d, which is that pointer,
 * to what is at 0x1d: itself. */
#define UNIT(length, name, directory, variable, type)                                              \
	length "\0\0\0\4\0\0\0\0\0\x08"                                                            \
	       "\1" name "\0\0\0" directory "\0\0\0"                                               \
	       "\2" variable "\0\0\0" type "\0\0\0"                                                \
	       "\3\x1d\0\0\0\0"

static void units_are_the_same_when_texts_are_elsewhere(void **state)
{
	struct file files[2];
	struct node *node;

	(void)state;
	file_start(&files[0]);
	ADD(&files[0], ".debug_info", UNIT("\x1f", "\0", "\4", "\6", "\x1d"));
	ADD(&files[0], ".debug_str", "a.c\0/\0one\0");
	file_start(&files[1]);
	ADD(&files[1], ".debug_info", UNIT("\x1f", "\4", "\x08", "\0", "\x1d"));
	ADD(&files[1], ".debug_str", "one\0a.c\0/\0");
	for (int i = 0; i < 2; i++)
		ADD(&files[i], ".debug_abbrev", ABBREVIATIONS);
	node = compare(files, dwarf_compare_info, COMPARED);
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_int_equal(node->finding_count, 1);
	assert_non_null(strstr(node->findings[0].what, "units of the same entries"));
	node_free(node);
}

static void units_tell_names_and_directories(void **state)
{
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		ADD(&files[i], ".debug_info", UNIT("\x1f", "\0", "\x0a", "\x04", "\x1d"));
		ADD(&files[i], ".debug_abbrev", ABBREVIATIONS);
	}
	ADD(&files[0], ".debug_str", "a.c\0first\0/src/one\0");
	ADD(&files[1], ".debug_str", "a.c\0other\0/src/two\0");
	node = compare(files, dwarf_compare_info, COMPARED);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_string_equal(node->findings[0].what,
		"directory of units, 1 in all, the first is a.c: /src/one, /src/two");
	assert_string_equal(node->findings[0].cause, "build path");
	assert_int_equal(node->child_count, 1);
	assert_string_equal(node->children[0]->name, "a.c");
	/* The pointer refers to itself: its name has an end. */
	assert_non_null(strstr(node->children[0]->findings[0].excerpt,
		"+ variable: name other, type pointer_type of pointer_type of "));
	node_free(node);
}

/* Entries that others may refer to must be the same ones, not only have the same names. */
static void references_to_other_places_are_told(void **state)
{
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		if (i)
			ADD(&files[i], ".debug_info", UNIT("\x1f", "\0", "\4", "\4", "\x1e"));
		else
			ADD(&files[i], ".debug_info", UNIT("\x1f", "\0", "\4", "\4", "\x7f"));
		ADD(&files[i], ".debug_str", "a.c\0x\0");
		ADD(&files[i], ".debug_abbrev", ABBREVIATIONS);
	}
	node = compare(files, dwarf_compare_info, COMPARED);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	node_free(node);
}

static void headers_that_are_damaged_are_not_read(void **state)
{
	static const char *const bad[] = { "\x1f\0\0\0\4", "\xff\xff\xff\xff\x01\0\0\0\0\0\0\0",
		"\x07\0\0\0\x09\0\0\0\0\0\x08", "\x07\0\0\0\x04\0\0\0\0\0\x03" };
	static const size_t sizes[] = { 5, 12, 11, 11 };
	struct file files[2];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		file_start(&files[0]);
		ADD(&files[0], ".debug_info", UNIT("\x1f", "\0", "\4", "\4", "\x1d"));
		ADD(&files[0], ".debug_abbrev", ABBREVIATIONS);
		file_start(&files[1]);
		add(&files[1], ".debug_info", bad[i], sizes[i]);
		node_free(compare(files, dwarf_compare_info, NOT_THIS));
	}
}

/* An entry of one byte with 60,000 attributes of none, 100,000 times. */
static void attributes_without_bytes_end(void **state)
{
	size_t attributes = 60000, entries = 100000, at = 3;
	unsigned char *table = calloc(1, 2 * attributes + 8), *info = calloc(2, entries + 11);
	struct file files[2];
	struct node *node;

	(void)state;
	assert_true(table && info);
	table[0] = 1;
	table[1] = 0x34;
	for (size_t i = 0; i < attributes; i++, at += 2) {
		table[at] = 0x3f;
		table[at + 1] = 0x19;
	}
	for (int i = 0; i < 2; i++) {
		unsigned char *unit = info + i * (entries + 11);
		const uint32_t length = (uint32_t)(entries + 7);

		memcpy(unit, &length, sizeof(length));
		unit[4] = 4;
		unit[10] = 8;
		memset(unit + 11, 1, entries);
		unit[11 + entries - 1] = (unsigned char)i;
		file_start(&files[i]);
		add(&files[i], ".debug_info", unit, entries + 11);
		add(&files[i], ".debug_abbrev", table, at + 3);
	}
	node = compare(files, dwarf_compare_info, COMPARED);
	assert_string_equal(node->children[0]->format, "bytes");
	node_free(node);
	free(table);
	free(info);
}

/* Version 5: directories by no forms at all, or by a form without bytes, and very many of them. */
static void line_tables_without_bytes_end(void **state)
{
	static const char tables[2][30] = {
		"\x19\0\0\0\5\0\x08\0\x11\0\0\0\1\1\1\xfb\x0e\1"
		"\0\xff\xff\xff\xff\xff\xff\xff\x7f\0\0",
		"\x19\0\0\0\5\0\x08\0\x11\0\0\0\1\1\1\xfb\x0e\1"
		"\1\1\x19\xff\xff\xff\xff\xff\xff\xff\x7f",
	};
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		add(&files[i], ".debug_line", tables[i], 29);
	}
	node = compare(files, dwarf_compare_lines, COMPARED);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_string_equal(node->children[0]->format, "bytes");
	node_free(node);
}

/* Version 4, without names: one row from 0x1000, by a special opcode, or by several others. */
static void rows_are_the_same_however_they_are_written(void **state)
{
#define LINE_HEADER(length)                                                                        \
	length "\0\0\0\4\0\x14\0\0\0\1\1\1\xfb\x0e\x0d"                                            \
	       "\0\1\1\1\1\0\0\0\1\0\0\1\0\0"                                                      \
	       "\0\x09\2\0\x10\0\0\0\0\0\0"
	struct file files[2];
	struct node *node;

	(void)state;
	file_start(&files[0]);
	ADD(&files[0], ".debug_line", LINE_HEADER("\x29") "\x21\0\1\1");
	file_start(&files[1]);
	ADD(&files[1], ".debug_line", LINE_HEADER("\x2d") "\3\1\2\1\1\0\1\1");
	node = compare(files, dwarf_compare_lines, COMPARED);
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_non_null(strstr(node->findings[0].what, "tables of the same rows"));
	node_free(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_are_the_same_when_texts_are_elsewhere),
		cmocka_unit_test(units_tell_names_and_directories),
		cmocka_unit_test(references_to_other_places_are_told),
		cmocka_unit_test(headers_that_are_damaged_are_not_read),
		cmocka_unit_test(attributes_without_bytes_end),
		cmocka_unit_test(line_tables_without_bytes_end),
		cmocka_unit_test(rows_are_the_same_however_they_are_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
