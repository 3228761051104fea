/* Files that get their names when they are complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/new_file.h"

static char directory[] = "/tmp/stet-new-file-XXXXXX";

static int enter_directory(void **state)
{
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave_directory(void **state)
{
	return chdir("/") || rmdir(directory) ? -1 : 0;
}

static int count_files(void)
{
	DIR *dir = opendir(".");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void write_text(struct new_file *file, const char *text)
{
	assert_int_equal(write(file->fd, text, strlen(text)), strlen(text));
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	fputs(text, file);
	fclose(file);
}

static void check_content(const char *name, const char *text)
{
	char found[64] = "";
	FILE *file = fopen(name, "r");

	assert_non_null(file);
	assert_non_null(fgets(found, sizeof(found), file));
	assert_string_equal(found, text);
	fclose(file);
}

static void a_name_is_given_at_the_end(void **state)
{
	struct new_file file;
	struct error err;

	assert_int_equal(new_file_open(&file, "--x", "new", &err), 0);
	write_text(&file, "content");
	assert_int_equal(count_files(), 0);
	assert_int_equal(new_file_finish(&file, &err), 0);
	new_file_release(&file);
	check_content("new", "content");
	assert_int_equal(count_files(), 1);
	unlink("new");
}

static void what_is_there_is_replaced_at_the_end(void **state)
{
	struct new_file file;
	struct error err;

	put("old", "before");
	symlink("old", "link");
	assert_int_equal(new_file_open(&file, "--x", "link", &err), 0);
	write_text(&file, "after");
	check_content("old", "before");
	assert_int_equal(new_file_finish(&file, &err), 0);
	new_file_release(&file);
	check_content("old", "after");
	assert_int_equal(count_files(), 2);
	unlink("link");
	unlink("old");
}

/* As on a file system that has no files without names. */
static void a_copy_does_it_too(void **state)
{
	struct new_file file;
	struct error err;

	put("old", "before");
	assert_int_equal(new_file_open(&file, "--x", "old", &err), 0);
	file.beside = false;
	write_text(&file, "after");
	assert_int_equal(new_file_finish(&file, &err), 0);
	new_file_release(&file);
	check_content("old", "after");
	assert_int_equal(count_files(), 1);
	unlink("old");
}

static void nothing_is_left_of_what_is_not_finished(void **state)
{
	struct new_file file;
	struct error err;

	put("old", "before");
	assert_int_equal(new_file_open(&file, "--x", "old", &err), 0);
	write_text(&file, "after");
	new_file_release(&file);
	check_content("old", "before");
	assert_int_equal(count_files(), 1);
	unlink("old");
}

static void bad_places_are_named(void **state)
{
	static const char *const bad[] = { ".", "..", "none/x", "/", "./", "/proc/none" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct new_file file;
		struct error err;

		assert_int_equal(new_file_open(&file, "--x", bad[i], &err), -1);
		assert_ptr_equal(strstr(err.text, "--x: cannot write "), err.text);
		new_file_release(&file);
	}
	assert_int_equal(count_files(), 0);
}

static void a_pipe_is_written_as_it_is(void **state)
{
	struct new_file file;
	struct error err;
	char text[32] = "";
	int reader;

	assert_int_equal(mkfifo("pipe", 0600), 0);
	reader = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_int_equal(new_file_open(&file, "--x", "pipe", &err), 0);
	write_text(&file, "text");
	assert_int_equal(new_file_finish(&file, &err), 0);
	new_file_release(&file);
	assert_int_equal(read(reader, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	close(reader);
	unlink("pipe");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_given_at_the_end),
		cmocka_unit_test(what_is_there_is_replaced_at_the_end),
		cmocka_unit_test(a_copy_does_it_too),
		cmocka_unit_test(nothing_is_left_of_what_is_not_finished),
		cmocka_unit_test(bad_places_are_named),
		cmocka_unit_test(a_pipe_is_written_as_it_is),
	};

	return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
