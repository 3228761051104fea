/* Fields of .dsc files, comparing results, and layers made of what was saved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "deb/compare.h"
#include "deb/fields.h"
#include "deb/layer.h"

static void is_field(const char *text, const char *name, const char *wanted)
{
	char *value = fields_find(text, name);

	if (wanted)
		assert_string_equal(value, wanted);
	else
		assert_null(value);
	free(value);
}

static void fields_are_found(void **state)
{
	static const char text[] =
		"A: one\nBb:two \n three\n\tfour\nC:\n d e f\n\nA: other\nD: four\n";

	is_field(text, "a", "one");
	is_field(text, "Bb", "two \n three\n\tfour");
	is_field(text, "C", "\n d e f");
	is_field(text, "B", NULL);
	is_field(text, "D", NULL);
	is_field("", "A", NULL);
	is_field("A", "A", NULL);
	is_field("A:", "A", "");
}

static void signatures_are_cut_off(void **state)
{
	char text[] = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nA: b\n- -c\n\n"
		      "-----BEGIN PGP SIGNATURE-----\nxyz\n";
	char cut[] = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nA: b\n";
	char armor[] = "-----BEGIN PGP SIGNED MESSAGE-----";
	char plain[] = "\nA: b\n- -c\n";

	assert_string_equal(fields_unsigned(text), "A: b\n-c\n\n");
	assert_null(fields_unsigned(cut));
	assert_null(fields_unsigned(armor));
	assert_string_equal(fields_unsigned(plain), "A: b\n- -c\n");
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void note(void *context, const char *name, const char *how)
{
	char *all = context;

	sprintf(all + strlen(all), "%s %.*s;", name, 10, how);
}

static void directories_are_compared(void **state)
{
	char differences[512] = "";
	struct error err;

	assert_int_equal(mkdir("a", 0755) | mkdir("b", 0755), 0);
	write_file("a/1", "same");
	write_file("b/1", "same");
	write_file("a/2", "one");
	write_file("b/2", "two");
	write_file("a/3", "");
	write_file("b/4", "");
	assert_int_equal(compare_directories("a", "b", note, differences, &err), 4);
	assert_string_equal(differences, "2 differs be;3 is missing;4 is missing;");
	assert_int_equal(compare_directories("a", "none", note, differences, &err), -1);
}

static void deletions_become_what_overlays_know(void **state)
{
	struct error err;
	struct stat status;
	char value = 0;

	assert_int_equal(mkdir("saved", 0755) | mkdir("image", 0755), 0);
	assert_int_equal(mkdir("saved/new", 0755) | mkdir("image/dir", 0711), 0);
	write_file("saved/file", "");
	write_file("saved/.stet-deletions", "/new\n/file\n/dir/odd\\012\\134name\n");
	if (layer_from_saved("saved", "image", &err) != 0) {
		print_message("skipped: no whiteouts or attributes here: %s\n", err.text);
		skip();
	}
	assert_int_equal(getxattr("saved/new", "user.overlay.opaque", &value, 1), 1);
	assert_int_equal(value, 'y');
	assert_int_equal(stat("saved/file", &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(stat("saved/dir", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0711);
	assert_int_equal(stat("saved/dir/odd\n\\name", &status), 0);
	assert_true(S_ISCHR(status.st_mode) && status.st_rdev == makedev(0, 0));
	assert_int_equal(access("saved/.stet-deletions", F_OK), -1);
}

static int enter(void **state)
{
	static char name[] = "/tmp/stet-unit-XXXXXX";

	*state = name;
	return mkdtemp(name) && chdir(name) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	return chdir("/") || system(command) ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found),
		cmocka_unit_test(signatures_are_cut_off),
		cmocka_unit_test(directories_are_compared),
		cmocka_unit_test(deletions_become_what_overlays_know),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
