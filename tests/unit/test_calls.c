/* The table of system calls: complete, well-formed, and in agreement with the kernel's headers. */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/unistd.h>
#include <cmocka.h>

#include "arena/calls.h"
#include "arena/layout.h"
#include "base/cleanup.h"

#define LAST_OF_FIXED_KERNEL 440 /* process_madvise came with Linux 5.10 */

struct named_number {
	unsigned number;
	const char *name;
};

/* Every row of the table, in its order. */
static const struct named_number rows[] = {
#define CALL(NUMBER, NAME, CLASS, HANDLER, RELAX, ARGUMENTS, ROLE, ERRORS, REASON)                 \
	{ NUMBER, #NAME },
#include "guest/syscalls.def"
#undef CALL
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Calls that the headers of an older kernel do not have yet. */
static const struct named_number newest[] = {
	{ 335, "uretprobe" },
	{ 336, "uprobe" },
	{ 451, "cachestat" },
	{ 452, "fchmodat2" },
	{ 453, "map_shadow_stack" },
	{ 454, "futex_wake" },
	{ 455, "futex_wait" },
	{ 456, "futex_requeue" },
	{ 457, "statmount" },
	{ 458, "listmount" },
	{ 459, "lsm_get_self_attr" },
	{ 460, "lsm_set_self_attr" },
	{ 461, "lsm_list_modules" },
	{ 462, "mseal" },
	{ 463, "setxattrat" },
	{ 464, "getxattrat" },
	{ 465, "listxattrat" },
	{ 466, "removexattrat" },
	{ 467, "open_tree_attr" },
	{ 468, "file_getattr" },
	{ 469, "file_setattr" },
	{ 470, "listns" },
	{ 471, "rseq_slice_yield" },
};

static void each_number_and_name_is_there_once(void **state)
{
	for (size_t i = 0; i < ROWS; i++) {
		assert_true(i == 0 || rows[i - 1].number < rows[i].number);
		assert_true(rows[i].number < SYSCALL_LIMIT);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(rows[i].name, rows[j].name);
	}
}

static void assert_call(unsigned number, const char *name)
{
	const struct call_info *call = call_info(number);

	if (!call)
		fail_msg("%s (%u) is missing", name, number);
	assert_string_equal(call->name, name);
}

/* Where distributions keep it: Debian has a folder per architecture. */
static FILE *open_header(void)
{
	FILE *header = fopen("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "re");

	return header ? header : fopen("/usr/include/asm/unistd_64.h", "re");
}

static void each_call_of_the_headers_is_there(void **state)
{
	cleanup_file FILE *header = open_header();
	unsigned count = 0, number;
	char line[256], name[64];

	assert_non_null(header);
	while (fgets(line, sizeof(line), header)) {
		if (sscanf(line, "#define __NR_%63s %u", name, &number) != 2)
			continue;
		assert_call(number, name);
		count++;
	}
	assert_true(count > 300);
}

static void each_of_the_newest_calls_is_there(void **state)
{
	for (size_t i = 0; i < sizeof(newest) / sizeof(newest[0]); i++)
		assert_call(newest[i].number, newest[i].name);
}

static void unknown_numbers_have_no_row(void **state)
{
	assert_null(call_info(337));
	assert_null(call_info(423));
	assert_null(call_info(SYSCALL_LIMIT - 1));
	assert_null(call_info(SYSCALL_LIMIT));
	assert_null(call_info(0x40000000u));
}

/* Names of real errors, in words of one space each. */
static bool errors_are_names(const char *errors)
{
	cleanup_free char *copy = strdup(errors);
	char *rest = copy, *word;

	while (*errors && (word = strsep(&rest, " "))) {
		bool found = strcmp(word, "EWOULDBLOCK") == 0 || strcmp(word, "ENOTSUP") == 0;

		for (int e = 1; e < 134 && !found; e++) {
			const char *name = strerrorname_np(e);

			found = name && strcmp(name, word) == 0;
		}
		if (!found)
			return false;
	}
	return true;
}

static void each_row_is_well_formed(void **state)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct call_info *call = call_info(rows[i].number);
		size_t arguments = strlen(call->arguments);
		bool refused = call->class == CALL_REFUSED;

		assert_true(arguments >= 1 && arguments <= 6);
		assert_true(strcmp(call->arguments, "-") == 0 ||
			    strspn(call->arguments, "iufpszmon") == arguments);
		assert_true(strlen(call->reason) > 5 && !isupper((unsigned char)call->reason[0]));
		assert_true(errors_are_names(call->errors));
		assert_int_equal(refused, call->refusal != 0);
		if (refused) {
			assert_true(call->refusal == EPERM || call->refusal == ENOSYS);
			assert_string_equal(call->errors, call->handler);
		}
	}
}

/* Each call of newer.def is one of the table's, older than the fixed kernel, and not refused. */
static void what_is_newer_concerns_known_calls(void **state)
{
	static const struct named_number newer[] = {
#define NEWER(CALL, ARGUMENT, KIND, LOW, HIGH, ERROR, SINCE, WHAT) { __NR_##CALL, #CALL },
#include "guest/newer.def"
#undef NEWER
	};

	for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++) {
		assert_call(newer[i].number, newer[i].name);
		assert_true(newer[i].number <= LAST_OF_FIXED_KERNEL);
		assert_true(call_info(newer[i].number)->class != CALL_REFUSED);
	}
}

/* The fixed kernel is 5.10: what has a higher number came later, and is refused. */
static void newer_calls_are_refused(void **state)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].number > LAST_OF_FIXED_KERNEL)
			assert_int_equal(call_info(rows[i].number)->refusal, ENOSYS);
}

static bool page_has(const char *page, const char *name)
{
	char cell[80];

	snprintf(cell, sizeof(cell), "| `%s` |", name);
	return strstr(page, cell) != NULL;
}

/* What people read names every call of the headers that this was built with. */
static void each_call_of_the_headers_is_in_the_page(void **state)
{
	cleanup_file FILE *header = open_header();
	cleanup_file FILE *file = fopen(SOURCES_PAGE, "re");
	cleanup_free char *page = NULL;
	char line[256], name[64];
	size_t room = 0;
	unsigned number;

	assert_non_null(header);
	assert_non_null(file);
	assert_true(getdelim(&page, &room, '\0', file) > 0);
	while (fgets(line, sizeof(line), header))
		if (sscanf(line, "#define __NR_%63s %u", name, &number) == 2 &&
			!page_has(page, name))
			fail_msg("doc/sources.md does not name %s", name);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_and_name_is_there_once),
		cmocka_unit_test(each_call_of_the_headers_is_there),
		cmocka_unit_test(each_of_the_newest_calls_is_there),
		cmocka_unit_test(unknown_numbers_have_no_row),
		cmocka_unit_test(each_row_is_well_formed),
		cmocka_unit_test(what_is_newer_concerns_known_calls),
		cmocka_unit_test(newer_calls_are_refused),
		cmocka_unit_test(each_call_of_the_headers_is_in_the_page),
	};

	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
