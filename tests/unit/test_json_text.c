/* Text of any bytes in JSON, canonical documents, and lists of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "base/json_text.h"
#include "cli/listing.h"

static void check_text(const char *raw, const char *written)
{
	json_t *text = json_text(raw);
	char *again = json_text_read(text);

	assert_string_equal(json_string_value(text), written);
	assert_string_equal(again, raw);
	free(again);
	json_decref(text);
}

static void text_is_written_as_it_is(void **state)
{
	check_text("", "");
	check_text("/a b\\c\"\n\t\x7f", "/a b\\c\"\n\t\x7f");
	check_text(
		"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80");
}

static void other_bytes_are_escaped(void **state)
{
	check_text("a\xff\\", "bytes:a\\377\\134");
	check_text("\x1b[0m\xc3\xbc\n", "bytes:\\033[0m\xc3\xbc\n");
	check_text("bytes:x", "bytes:bytes:x");
	check_text("\xc3", "bytes:\\303");
}

static void what_is_no_escape_is_refused(void **state)
{
	static const char *const bad[] = { "bytes:\\", "bytes:\\12", "bytes:\\400", "bytes:\\000",
		"bytes:\\xff" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *text = json_string(bad[i]);

		assert_null(json_text_read(text));
		json_decref(text);
	}
	assert_null(json_text_read(NULL));
	assert_null(json_text_read(json_true()));
}

static void utf8_is_what_rfc_3629_says(void **state)
{
	static const char *const bad[] = { "\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf",
		"\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
		"\xe2\x82", "\xf0\x9f\x98" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(utf8_bytes(bad[i]), 0);
		assert_false(utf8_is_valid(bad[i]));
	}
	assert_true(utf8_is_valid("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"));
}

static void documents_are_canonical(void **state)
{
	char found[256] = "";
	struct error err;
	int fd = memfd_create("json", MFD_CLOEXEC);
	json_t *json = json_pack("{s:s, s:[i, n, b], s:{s:s, s:s}}", "b", "\"\\/\b\f\n\r\t\xc3\xbc",
		"a", 1, 1, "c", "z", "", "A", "x");

	assert_int_equal(json_text_dump(json, fd, "--json", &err), 0);
	assert_true(pread(fd, found, sizeof(found) - 1, 0) > 0);
	assert_string_equal(found, "{\"a\":[1,null,true],\"b\":\"\\\"\\\\/"
				   "\\b\\f\\n\\r\\t\xc3\xbc\",\"c\":{\"A\":\"x\","
				   "\"z\":\"\"}}\n");
	close(fd);
	assert_int_equal(json_text_dump(NULL, -1, "--json", &err), -1);
}

#define SUM "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void lists_are_read_line_by_line(void **state)
{
	const char *listing = "+/a\\040b f 0644 0:7 12 sha256:" SUM " user.x=00 changed=5\n"
			      "*/l l 0777 1:2 to\\012\n"
			      "-/gone deleted\n"
			      " /u f 0000 0:0 unreadable\n";
	struct listed file = { 0 };

	assert_int_equal(listing_next(&listing, &file), 1);
	assert_string_equal(file.path, "/a b");
	assert_int_equal(file.deed, BOX_MADE);
	assert_int_equal(file.type, 'f');
	assert_int_equal(file.mode, 0644);
	assert_int_equal(file.gid, 7);
	assert_int_equal(file.size, 12);
	assert_string_equal(file.hash, SUM);
	assert_int_equal(listing_next(&listing, &file), 1);
	assert_string_equal(file.target, "to\n");
	assert_int_equal(file.deed, BOX_CHANGED);
	assert_int_equal(listing_next(&listing, &file), 1);
	assert_string_equal(file.path, "/gone");
	assert_int_equal(file.deed, BOX_DELETED);
	assert_int_equal(listing_next(&listing, &file), 1);
	assert_string_equal(file.hash, "");
	assert_int_equal(listing_next(&listing, &file), 0);
	assert_null(file.path);
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const bad[] = { "\n", "+/a\n", "+/a f\n", "+/a f 0644\n",
		"+/a f 0644 0:0\n", "+/a f 0644 0:0 1 sha256:12\n",
		"+/a f 0644 0:0 x sha256:" SUM "\n" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *listing = bad[i];
		struct listed file = { 0 };

		assert_int_equal(listing_next(&listing, &file), -1);
		assert_int_equal(listing_next(&listing, &file), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_written_as_it_is),
		cmocka_unit_test(other_bytes_are_escaped),
		cmocka_unit_test(what_is_no_escape_is_refused),
		cmocka_unit_test(utf8_is_what_rfc_3629_says),
		cmocka_unit_test(documents_are_canonical),
		cmocka_unit_test(lists_are_read_line_by_line),
		cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
