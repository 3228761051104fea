/* Numbers and records of archives as strangers may write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "diff/tar_entry.h"
#include "diff/time_text.h"
#include "diff/zip_entry.h"

static struct blob blob_of(const void *data, size_t size)
{
	return (struct blob){ .data = data, .size = size };
}

static void numbers_of_tars_are_octal_or_binary(void **state)
{
	static const struct {
		const char *bytes;
		bool is;
		int64_t number;
	} cases[] = {
		{ "00000000017\0", true, 15 },
		{ "     17     ", true, 15 },
		{ "777777777777", true, (1ll << 36) - 1 },
		{ "            ", true, 0 },
		{ "00000000018\0", false, 0 },
		{ "-0000000017\0", false, 0 },
		{ "\x80\0\0\0\0\0\0\0\0\0\1\2", true, 258 },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe", true, -2 },
		{ "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", true, INT64_MAX },
		{ "\x80\0\0\1\0\0\0\0\0\0\0\0", false, 0 },
		{ "\x80\0\0\0\x80\0\0\0\0\0\0\0", false, 0 },
		{ "\x81\0\0\0\0\0\0\0\0\0\0\0", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blob blob = blob_of(cases[i].bytes, 12);
		int64_t number;

		assert_int_equal(tar_number(&blob, 0, 12, &number), cases[i].is);
		if (cases[i].is)
			assert_true(number == cases[i].number);
		assert_false(tar_number(&blob, 1, 12, &number));
	}
}

static void records_of_pax_are_taken_only_whole(void **state)
{
	static const char whole[] = "8 a=bcd\n7 e=\n\n\n8 a=\0z\n";
	static const char *const damaged[] = { "9 a=bcd\n", "8 a=bcdx", "8 abcde\n", "3 \n",
		"x a=bcd\n", "99999999999999999999 a=b\n", "1 ", " a=b\n", "" };
	struct blob pax = blob_of(whole, sizeof(whole) - 1);
	struct tar_record record;
	uint64_t at = 0;

	(void)state;
	assert_true(tar_pax_next(&pax, &at, &record));
	assert_true(span_is(record.key, "a") && span_is(record.value, "bcd"));
	assert_true(tar_pax_next(&pax, &at, &record));
	assert_true(span_is(record.key, "e") && record.value.size == 2);
	assert_false(tar_pax_next(&pax, &at, &record));
	assert_false(tar_pax_is_whole(&pax));
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		pax = blob_of(damaged[i], strlen(damaged[i]));
		at = 0;
		assert_false(tar_pax_next(&pax, &at, &record));
	}
}

static void the_last_record_of_a_key_counts(void **state)
{
	static const char text[] = "6 a=1\n6 a=2\n6 b=3\n";
	struct blob pax = blob_of(text, sizeof(text) - 1);

	(void)state;
	assert_true(span_is(tar_pax_find(&pax, "a"), "2"));
	assert_null(tar_pax_find(&pax, "c").start);
	assert_true(tar_pax_is_whole(&pax));
}

static void extra_fields_of_zips_end_with_the_header(void **state)
{
	static const unsigned char bytes[] = { 0x55, 0x54, 2, 0, 'a', 'b', 1, 0, 3, 0, 'c', 'd' };
	struct blob extra = blob_of(bytes, sizeof(bytes));
	struct zip_extra field;
	uint64_t at = 0;

	(void)state;
	assert_true(zip_extra_next(&extra, &at, &field));
	assert_int_equal(field.id, 0x5455);
	assert_int_equal(field.data.size, 2);
	assert_false(zip_extra_next(&extra, &at, &field));
}

static void a_zip_without_members_has_an_end(void **state)
{
	unsigned char bytes[30] = "PK\5\6";
	struct blob zip = blob_of(bytes, 22);
	struct zip_end end;

	(void)state;
	assert_true(zip_end_find(&zip, &end));
	assert_int_equal(end.end, 22);
	bytes[20] = 8; /* a comment beyond the end */
	assert_false(zip_end_find(&zip, &end));
	zip.size = 30;
	assert_true(zip_end_find(&zip, &end));
	assert_int_equal(end.comment.size, 8);
	bytes[16] = 1; /* a directory beyond the end */
	bytes[12] = 200;
	assert_false(zip_end_find(&zip, &end));
	zip.size = 3;
	assert_false(zip_end_find(&zip, &end));
}

static void times_are_days_where_there_are_such(void **state)
{
	char text[TIME_TEXT];

	(void)state;
	assert_string_equal(time_text(text, 0), "1970-01-01T00:00:00Z");
	assert_string_equal(time_text(text, -1), "1969-12-31T23:59:59Z");
	assert_string_equal(time_text(text, INT64_MAX), "9223372036854775807 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_tars_are_octal_or_binary),
		cmocka_unit_test(records_of_pax_are_taken_only_whole),
		cmocka_unit_test(the_last_record_of_a_key_counts),
		cmocka_unit_test(extra_fields_of_zips_end_with_the_header),
		cmocka_unit_test(a_zip_without_members_has_an_end),
		cmocka_unit_test(times_are_days_where_there_are_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
