/* Bundles on the host's side: the index as text and back, what is refused of it, headers of the tar,
 * and what a later run looked at that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "bundle/report.h"
#include "bundle/tar.h"

#define HASH "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A small index in which FILES stands for itself. */
#define INDEX(files)                                                                               \
	"{\"kind\":\"bundle\",\"version\":1,\"command\":[\"sh\"],\"environment\":[],"              \
	"\"workdir\":\"/build\",\"options\":{},\"mounts\":[{\"place\":\"/build\",\"mode\":\"rw\"," \
	"\"type\":\"directory\"}],\"plain\":[],\"digest\":\"" HASH "\",\"status\":3,"              \
	"\"missing\":[\"/build/none\"],\"files\":[" files "]}"
#define DIRECTORY(path, more)                                                                      \
	"{\"path\":\"" path "\",\"type\":\"directory\",\"known\":\"looked\",\"mode\":\"0755\","    \
	"\"owner\":\"0:0\"" more "}"
#define FILE_OF(path, known, more)                                                                 \
	"{\"path\":\"" path "\",\"type\":\"file\",\"known\":\"" known "\",\"mode\":\"0644\","      \
	"\"owner\":\"1:2\",\"size\":5" more "}"
#define CONTENT ",\"content\":\"" HASH "\""
#define ROOT	DIRECTORY("/", "")
#define GOOD                                                                                       \
	ROOT "," DIRECTORY("/build", ",\"complete\":true") "," FILE_OF("/build/a", "read",         \
		CONTENT) "," FILE_OF("/build/b", "looked", "") "," DIRECTORY("/etc", "")

static int read_text(struct bundle_index *index, const char *text)
{
	struct error err = { 0 };
	int failed;

	*index = (struct bundle_index){ 0 };
	failed = index_read(index, text, strlen(text), "B", &err);
	if (failed)
		assert_non_null(strstr(err.text, "B: "));
	return failed;
}

static void an_index_is_read_as_it_was_written(void **state)
{
	struct bundle_index index, again;
	cleanup_free char *first = NULL, *second = NULL;
	struct error err;

	(void)state;
	assert_int_equal(read_text(&index, INDEX(GOOD)), 0);
	first = index_write(&index, false, &err);
	assert_int_equal(read_text(&again, first), 0);
	second = index_write(&again, false, &err);
	assert_string_equal(first, second);
	assert_int_equal(again.file_count, 5);
	assert_int_equal(again.status, 3);
	assert_int_equal(index_find(&again, "/build/a")->gid, 2);
	assert_true(index_find(&again, "/build")->complete);
	assert_null(index_find(&again, "/build/none"));
	assert_true(index_is_missing(&again, "/build/none"));
	assert_int_equal(index_mount_of(&again, "/build/a"), 0);
	assert_int_equal(index_mount_of(&again, "/builder"), -1);
	index_release(&index);
	index_release(&again);
}

static void what_does_not_go_together_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"kind\":\"bundle\",\"version\":1}",
		INDEX(DIRECTORY("/build", "")),
		INDEX(ROOT "," FILE_OF("/a/b", "looked", "")),
		INDEX(ROOT "," FILE_OF("/a", "looked", "") "," FILE_OF("/a/b", "looked", "")),
		INDEX(ROOT "," FILE_OF("/b", "looked", "") "," FILE_OF("/a", "looked", "")),
		INDEX(ROOT "," FILE_OF("/a", "looked", "") "," FILE_OF("/a", "looked", "")),
		INDEX(ROOT "," FILE_OF("/a/../b", "looked", "")),
		INDEX(ROOT "," FILE_OF("/./a", "looked", "")),
		INDEX(ROOT "," FILE_OF("//a", "looked", "")),
		INDEX(ROOT "," FILE_OF("/a/", "looked", "")),
		INDEX(ROOT "," FILE_OF("a", "looked", "")),
		INDEX(ROOT "," FILE_OF("/a", "read", "")),
		INDEX(ROOT "," FILE_OF("/a", "looked", CONTENT)),
		INDEX(ROOT "," FILE_OF("/a", "read", ",\"same\":\"/b\"")),
		INDEX(ROOT "," FILE_OF("/a", "read", ",\"same\":\"/a\"")),
		INDEX(ROOT "," FILE_OF("/a", "read", ",\"same\":\"/\"")),
		INDEX(ROOT "," FILE_OF("/a", "read", CONTENT ",\"links\":-1")),
		INDEX(ROOT "," FILE_OF("/a", "read", CONTENT ",\"labels\":{\"trusted.x\":\"00\"}")),
		INDEX(ROOT "," FILE_OF("/a", "read", CONTENT ",\"labels\":{\"user.x\":\"0\"}")),
		INDEX(ROOT "," FILE_OF("/a", "guessed", "")),
		INDEX("{\"path\":\"/\",\"type\":\"link\",\"known\":\"looked\",\"target\":\"x\","
		      "\"mode\":\"0777\",\"owner\":\"0:0\"}"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct bundle_index index;

		if (!read_text(&index, bad[i]))
			fail_msg("taken for an index: %s", bad[i]);
		index_release(&index);
	}
}

static void names_of_any_bytes_are_kept(void **state)
{
	struct bundle_index index, again;
	cleanup_free char *text = NULL;
	struct error err;

	(void)state;
	assert_int_equal(read_text(&index, INDEX(GOOD)), 0);
	free(index.files[4].path);
	index.files[4].path = strdup("/z\xff\n\\");
	text = index_write(&index, true, &err);
	assert_int_equal(read_text(&again, text), 0);
	assert_non_null(index_find(&again, "/z\xff\n\\"));
	index_release(&index);
	index_release(&again);
}

static void long_names_and_large_files_have_headers(void **state)
{
	char name[300];
	size_t bytes;
	char *header;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	header = tar_header("short", 0644, 513, &bytes);
	assert_int_equal(bytes, TAR_BLOCK);
	assert_string_equal(header, "short");
	assert_string_equal(header + 124, "00000001001");
	free(header);
	header = tar_header(name, 0644, 1ull << 40, &bytes);
	assert_int_equal(bytes, 3 * TAR_BLOCK);
	assert_string_equal(header + TAR_BLOCK, name);
	assert_int_equal((unsigned char)header[2 * TAR_BLOCK + 124], 0x80);
	free(header);
	assert_int_equal(tar_padding(0), 0);
	assert_int_equal(tar_padding(1), TAR_BLOCK - 1);
	assert_int_equal(tar_padding(TAR_BLOCK), 0);
}

static void what_is_not_known_is_told(void **state)
{
	static const struct {
		const char *path;
		uint32_t kinds;
		const char *wanted; /* NULL: it is known */
	} cases[] = {
		{ "/build/a", LOOK_NAME | LOOK_READ, NULL }, { "/build/b", LOOK_NAME, NULL },
		{ "/build/b", LOOK_NAME | LOOK_READ, "read" }, { "/build", LOOK_LIST, NULL },
		{ "/etc", LOOK_LIST, "listed" }, { "/build/none", LOOK_NAME | LOOK_READ, NULL },
		{ "/build/other", LOOK_NAME | LOOK_READ, NULL }, /* the listing is complete */
		{ "/etc/passwd", LOOK_NAME | LOOK_READ, "read" },
		{ "/etc/passwd", LOOK_NAME, "looked up" }, { "/etc/new", LOOK_MAKE, NULL },
		{ "/etc/new", LOOK_MAKE | LOOK_LIST, NULL },
		{ "/build/a/below", LOOK_NAME, NULL }, /* a file has nothing below it */
	};
	struct bundle_index index;

	(void)state;
	assert_int_equal(read_text(&index, INDEX(GOOD)), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct looked looked = { .path = (char *)cases[i].path, .kinds = cases[i].kinds };
		const struct looks looks = { .list = &looked, .count = 1 };
		struct unknown unknown = { 0 };
		struct error err;

		assert_int_equal(unknown_find(&unknown, &index, &looks, &err), 0);
		if (unknown.count != (cases[i].wanted != NULL))
			fail_msg("%s, %u: %zu are told", cases[i].path, cases[i].kinds,
				unknown.count);
		if (unknown.count)
			assert_string_equal(unknown.list[0].wanted, cases[i].wanted);
		unknown_release(&unknown);
	}
	index_release(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_index_is_read_as_it_was_written),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(names_of_any_bytes_are_kept),
		cmocka_unit_test(long_names_and_large_files_have_headers),
		cmocka_unit_test(what_is_not_known_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
