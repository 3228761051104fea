/* HDF5 files as their reader tells them: records from tests/fuzz/hdf5_records.c stand for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diff/hdf5.h"
#include "diff/hdf5_record.h"

/* A file that grows. */
struct file {
	char *data;
	size_t size;
	FILE *out;
};

static void file_start(struct file *file)
{
	*file = (struct file){ 0 };
	file->out = open_memstream(&file->data, &file->size);
	assert_non_null(file->out);
	fputs("\x89HDF\r\n\x1a\n", file->out);
}

static void put_dataset(struct file *file, const char *path, const char *layout, char class,
	unsigned size, const void *bytes, size_t all)
{
	const struct hdf5_numbers numbers = { (unsigned char)class, (unsigned char)size, 0 };

	hdf5_put_object(file->out, path);
	hdf5_put_fact(file->out, HDF5_FACT_KIND, "dataset");
	hdf5_put_fact(file->out, HDF5_FACT_LAYOUT, layout);
	hdf5_put_values(file->out, &numbers);
	putc(HDF5_BYTES, file->out);
	if (all)
		hdf5_put_text(file->out, bytes, all);
	hdf5_put_text(file->out, "", 0);
}

static void file_end(struct file *file)
{
	putc(HDF5_COMPLETE, file->out);
	assert_int_equal(fclose(file->out), 0);
}

static struct node *compare(struct file files[2])
{
	static const struct diff_options options = {
		.memory = 1u << 20, .depth = 8, .members = 100
	};
	struct diff diff = { .options = &options, .budget = { .left = options.memory } };
	struct node *node = node_new("file", "HDF5");
	struct pair pair = { { .data = (unsigned char *)files[0].data, .size = files[0].size },
		{ .data = (unsigned char *)files[1].data, .size = files[1].size } };
	struct error err = { 0 };

	assert_non_null(node);
	assert_true(hdf5_is(&pair.a) && hdf5_is(&pair.b));
	assert_int_equal(hdf5_compare(&diff, node, &pair, &err), COMPARED);
	assert_true(diff.budget.left == options.memory);
	free(files[0].data);
	free(files[1].data);
	return node;
}

static const char *said(const struct node *node, const char *what)
{
	for (size_t i = 0; i < node->finding_count; i++)
		if (strstr(node->findings[i].what, what))
			return node->findings[i].what;
	return NULL;
}

static void objects_in_another_order_and_layout_have_the_same_content(void **state)
{
	static const char *const orders[2][2] = { { "/a", "/b" }, { "/b", "/a" } };
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		for (int k = 0; k < 2; k++)
			put_dataset(&files[i], orders[i][k], i ? "compact" : "contiguous", 'i', 2,
				orders[i][k], 2);
		file_end(&files[i]);
	}
	node = compare(files);
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_int_equal(node->child_count, 2);
	assert_non_null(said(node->children[0], "layout: contiguous, compact"));
	node_free(node);
}

static void the_first_value_that_differs_is_told(void **state)
{
	const double floats[2][3] = { { 1, 2.5, 3 }, { 1, -0.125, 4 } };
	const int16_t integers[2][3] = { { 7, 8, 9 }, { 7, 8, -9 } };
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		put_dataset(&files[i], "/floats", "compact", 'f', 8, floats[i], sizeof(floats[i]));
		put_dataset(&files[i], "/integers", "compact", 'i', 2, integers[i],
			sizeof(integers[i]));
		file_end(&files[i]);
	}
	node = compare(files);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_non_null(said(node->children[0], "first value that differs: [1] 2.5, [1] -0.125"));
	assert_non_null(said(node->children[1], "first value that differs: [2] 9, [2] -9"));
	node_free(node);
}

/* What libhdf5 cannot read may differ: the content is not said to be equal. */
static void objects_that_cannot_be_read_are_told(void **state)
{
	struct file files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&files[i]);
		put_dataset(&files[i], "/x", "compact", 0, 0, "", 0);
		hdf5_put_fact(files[i].out, HDF5_FACT_UNREADABLE, "yes");
		file_end(&files[i]);
	}
	node = compare(files);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_non_null(said(node, "cannot read all of 1 objects"));
	node_free(node);
}

static void without_a_library_or_an_end_bytes_are_compared(void **state)
{
	struct file files[2];
	struct node *node;

	(void)state;
	for (int library = 0; library < 2; library++) {
		for (int i = 0; i < 2; i++) {
			file_start(&files[i]);
			if (library)
				put_dataset(&files[i], "/x", "compact", 0, 0, i ? "a" : "b", 1);
			else
				fputs(i ? "n1" : "n2", files[i].out);
			assert_int_equal(fclose(files[i].out), 0);
		}
		node = compare(files);
		assert_string_equal(node->format, "bytes");
		assert_int_equal(node->level, LEVEL_STRUCTURE);
		assert_non_null(said(node, library ? "not looked into: libhdf5 cannot read it"
						   : "not looked into: libhdf5 is not at hand"));
		node_free(node);
	}
}

/* Nobody vouches for the reader. */
static void records_that_are_damaged_are_no_trouble(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} records[] = {
		{ "f\0\1\0\0\0xe", 8 },			 /* a fact of nothing */
		{ "b\0\0\0\0e", 6 },			 /* bytes of nothing */
		{ "o\xff\xff\xff\xff/", 6 },		 /* a path that is too long */
		{ "o\2\0\0\0/\0e", 8 },			 /* a zero in it */
		{ "o\1\0\0\0/f\xff\1\0\0\0xe", 13 },	 /* a fact that nobody knows */
		{ "o\1\0\0\0/b\0\0\0\0b\0\0\0\0e", 17 }, /* bytes twice */
		{ "o\1\0\0\0/b\xff\xff\xff\xffxx", 13 }, /* more than there are */
		{ "x", 1 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct file files[2];
		struct node *node;

		for (int k = 0; k < 2; k++) {
			file_start(&files[k]);
			fwrite(records[i].bytes, 1, records[i].size, files[k].out);
			putc(k, files[k].out);
			assert_int_equal(fclose(files[k].out), 0);
		}
		node = compare(files);
		assert_string_equal(node->format, "bytes");
		node_free(node);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_in_another_order_and_layout_have_the_same_content),
		cmocka_unit_test(the_first_value_that_differs_is_told),
		cmocka_unit_test(objects_that_cannot_be_read_are_told),
		cmocka_unit_test(without_a_library_or_an_end_bytes_are_compared),
		cmocka_unit_test(records_that_are_damaged_are_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
