/* What --fetch is given: a place, a checksum and a place inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fetch/fetch.h"

#define HEX   "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define UPPER "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"

static void parts_are_found(void **state)
{
	static const struct {
		const char *text, *url, *shown, *inside;
	} cases[] = {
		{ "http://h/x#sha256=" HEX ":/a/b", "http://h/x", "http://h/x", "/a/b" },
		{ "HTTPS://h:1/#sha256=" UPPER ":/a:b", "HTTPS://h:1/", "HTTPS://h:1/", "/a:b" },
		{ "file:///x%20y#sha256=" HEX ":/a", "file:///x%20y", "file:///x%20y", "/a" },
		{ "http://me:pw@h/x@y#sha256=" HEX ":/a", "http://me:pw@h/x@y", "http://h/x@y",
			"/a" },
		{ "http://h/x@y#sha256=" HEX ":/a..b/...", "http://h/x@y", "http://h/x@y",
			"/a..b/..." },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fetch fetch;
		struct error err;

		assert_int_equal(fetch_parse(cases[i].text, &fetch, &err), 0);
		assert_string_equal(fetch.url, cases[i].url);
		assert_string_equal(fetch.shown, cases[i].shown);
		assert_string_equal(fetch.inside, cases[i].inside);
		assert_string_equal(fetch.digest, HEX);
		fetch_release(&fetch);
	}
}

static void what_is_missing_is_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"#sha256=",
		"http://h/x",
		"http://h/x#sha256=" HEX,
		"http://h/x#sha256=" HEX ":",
		"http://h/x#sha256=" HEX ":a",
		"http://h/x#sha256=" HEX ":/..",
		"http://h/x#sha256=" HEX ":/a/./b",
		"http://h/x#sha256=" HEX "0:/a",
		"http://h/x#sha256=" HEX "/a",
		"http://#sha256=" HEX ":/a",
		"http://h/\n#sha256=" HEX ":/a",
		"httpx://h/x#sha256=" HEX ":/a",
		"h/x#sha256=" HEX ":/a",
		"file://h/x#sha256=" HEX ":/a",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fetch fetch;
		struct error err = { 0 };

		assert_int_equal(fetch_parse(cases[i], &fetch, &err), -1);
		assert_int_equal(err.status, 125);
		assert_non_null(strstr(err.text, "--fetch"));
		fetch_release(&fetch);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_found),
		cmocka_unit_test(what_is_missing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
