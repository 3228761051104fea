/* Tars: every byte is known, and what a header cannot hold stands in a pax header before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "image/tar.h"

#define BLOCK 512
#define BYTES (1 << 16)

static uint8_t data[BYTES]; /* of the tar that was made last */
static size_t length;

static struct tar *start(int *fd)
{
	struct error err;
	struct tar *tar;

	*fd = memfd_create("tar", MFD_CLOEXEC);
	assert_true(*fd >= 0);
	tar = tar_open("x.tar", *fd, &err);
	assert_non_null(tar);
	return tar;
}

static void finish(struct tar *tar, int fd)
{
	struct error err;
	ssize_t n;

	assert_int_equal(tar_finish(tar, &err), 0);
	tar_release(tar);
	n = pread(fd, data, sizeof(data), 0);
	assert_true(n >= 2 * BLOCK);
	length = (size_t)n;
	close(fd);
}

/* A tar of one entry without content. */
static void make(const struct tar_entry *entry)
{
	struct error err;
	int fd;
	struct tar *tar = start(&fd);

	assert_int_equal(tar_add(tar, entry, &err), 0);
	finish(tar, fd);
}

static const char *field(size_t block, size_t offset)
{
	return (const char *)data + block * BLOCK + offset;
}

static void headers_are_ustar(void **state)
{
	make(&(struct tar_entry){ .type = TAR_DIRECTORY,
		.path = "a/b",
		.mode = S_IFDIR | 01755,
		.uid = 8,
		.gid = 9,
		.mtime = 744847200 });
	assert_int_equal(length, 3 * BLOCK);
	assert_string_equal(field(0, 0), "a/b/");
	assert_string_equal(field(0, 100), "0001755");
	assert_string_equal(field(0, 108), "0000010");
	assert_string_equal(field(0, 116), "0000011");
	assert_string_equal(field(0, 124), "00000000000");
	assert_string_equal(field(0, 136), "05431273540");
	assert_int_equal(*field(0, 156), '5');
	assert_memory_equal(field(0, 257),
		"ustar\0"
		"00",
		8);
	assert_string_equal(field(0, 265), "");
}

static void the_sum_is_right(void **state)
{
	unsigned sum = 0;

	make(&(struct tar_entry){ .type = TAR_FIFO, .path = "fifo", .mode = 0600 });
	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : data[i];
	assert_int_equal(strtoul(field(0, 148), NULL, 8), sum);
}

static void bytes_do_not_change_between_versions(void **state)
{
	struct error err;
	const struct attribute attributes[] = { { "user.a", "1\0002", 3 } };
	const struct tar_entry file = { .type = TAR_FILE,
		.path = "file",
		.mode = 0644,
		.size = 3,
		.mtime = 1,
		.attributes = attributes,
		.attribute_count = 1 };
	char text[HASH_TEXT];
	struct hash hash;
	int fd;
	struct tar *tar = start(&fd);

	assert_int_equal(tar_add(tar, &file, &err), 0);
	assert_int_equal(tar_data(tar, "ab", 2, &err), 0);
	assert_int_equal(tar_data(tar, "c", 1, &err), 0);
	finish(tar, fd);
	hash_start(&hash);
	hash_add(&hash, data, length);
	hash_finish(&hash, text);
	assert_int_equal(length, 6 * BLOCK);
	assert_string_equal(
		text, "e39f9ac900459d99ba3c34ebdb8ea14cd3b71cddf3d402e3a7a0a7add4580c8c");
}

static void long_names_stand_in_a_pax_header(void **state)
{
	char path[201], target[102], record[256];

	memset(path, 'p', sizeof(path) - 1);
	memset(target, 't', sizeof(target) - 1);
	path[sizeof(path) - 1] = target[sizeof(target) - 1] = '\0';
	make(&(struct tar_entry){ .type = TAR_SYMBOLIC_LINK, .path = path, .target = target });
	assert_int_equal(*field(0, 156), 'x');
	snprintf(record, sizeof(record), "210 path=%s\n", path);
	assert_memory_equal(field(1, 0), record, 210);
	snprintf(record, sizeof(record), "115 linkpath=%s\n", target);
	assert_memory_equal(field(1, 210), record, 115);
	assert_int_equal(*field(2, 156), '2');
}

static void a_name_that_just_fits_needs_none(void **state)
{
	char path[101];

	memset(path, 'p', 100);
	path[100] = '\0';
	make(&(struct tar_entry){ .type = TAR_FILE, .path = path });
	assert_int_equal(*field(0, 156), '0');
	assert_memory_equal(field(0, 0), path, 100);
	path[99] = '\0';
	make(&(struct tar_entry){ .type = TAR_DIRECTORY, .path = path });
	assert_int_equal(*field(0, 156), '5');
}

static void names_that_are_no_text_are_marked(void **state)
{
	char path[121];

	memset(path, 0xff, 120);
	path[120] = '\0';
	make(&(struct tar_entry){ .type = TAR_FILE, .path = path });
	assert_memory_equal(field(1, 0), "21 hdrcharset=BINARY\n130 path=", 30);
}

static void large_numbers_stand_in_a_pax_header(void **state)
{
	static const char expected[] = "19 size=8589934592\n15 uid=2097152\n18 gid=4294967294\n"
				       "12 mtime=-1\n";

	make(&(struct tar_entry){ .type = TAR_FILE,
		.path = "f",
		.size = 1ull << 33,
		.uid = 1u << 21,
		.gid = 4294967294u,
		.mtime = -1 });
	assert_memory_equal(field(1, 0), expected, sizeof(expected) - 1);
	assert_string_equal(field(2, 124), "00000000000");
	make(&(struct tar_entry){ .type = TAR_FILE,
		.path = "f",
		.size = (1ull << 33) - 1,
		.uid = (1u << 21) - 1,
		.mtime = (1ll << 33) - 1 });
	assert_string_equal(field(0, 124), "77777777777");
	assert_string_equal(field(0, 108), "7777777");
}

/* "99 " and "100 ": the length counts its own digits. */
static void lengths_of_records_count_themselves(void **state)
{
	for (size_t bytes = 60; bytes < 110; bytes++) {
		char value[128], *end;
		struct attribute attribute = { "user.x", value, bytes };
		size_t told;

		memset(value, 'v', sizeof(value));
		make(&(struct tar_entry){ .type = TAR_FILE,
			.path = "f",
			.attributes = &attribute,
			.attribute_count = 1 });
		told = strtoul(field(1, 0), &end, 10);
		assert_int_equal(field(1, 0)[told - 1], '\n');
		assert_int_equal(field(1, 0)[told], '\0');
	}
}

static void more_content_than_told_is_an_error(void **state)
{
	struct error err;
	int fd;
	struct tar *tar = start(&fd);

	assert_int_equal(
		tar_add(tar, &(struct tar_entry){ .type = TAR_FILE, .path = "f", .size = 1 }, &err),
		0);
	assert_int_equal(tar_data(tar, "ab", 2, &err), -1);
	tar_release(tar);
	close(fd);
}

static void a_full_disk_is_named(void **state)
{
	struct error err;
	FILE *full = fopen("/dev/full", "w");
	struct tar *tar = tar_open("x.tar", fileno(full), &err);

	assert_non_null(tar);
	assert_int_equal(tar_finish(tar, &err), -1);
	assert_non_null(strstr(err.text, "No space left"));
	tar_release(tar);
	fclose(full);
}

static void suffixes_are_known(void **state)
{
	assert_string_equal(tar_suffix("a.tar"), ".tar");
	assert_string_equal(tar_suffix("/x/a.tar.gz"), ".tar.gz");
	assert_string_equal(tar_suffix("a.tar.zst"), ".tar.zst");
	assert_null(tar_suffix("a"));
	assert_null(tar_suffix(".tar"));
	assert_null(tar_suffix("a.tar/"));
	assert_null(tar_suffix("a.tgz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_ustar),
		cmocka_unit_test(the_sum_is_right),
		cmocka_unit_test(bytes_do_not_change_between_versions),
		cmocka_unit_test(long_names_stand_in_a_pax_header),
		cmocka_unit_test(a_name_that_just_fits_needs_none),
		cmocka_unit_test(names_that_are_no_text_are_marked),
		cmocka_unit_test(large_numbers_stand_in_a_pax_header),
		cmocka_unit_test(lengths_of_records_count_themselves),
		cmocka_unit_test(more_content_than_told_is_an_error),
		cmocka_unit_test(a_full_disk_is_named),
		cmocka_unit_test(suffixes_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
