/* Layers of OCI images: what they delete of the layers below, and what they do not. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "unpack_place.h"

static struct place place;
static struct maker tar;

/* Below is a layer with some files that belong to somebody. */
static int make_place(void **state)
{
	static const char *const files[] = { "a/one", "a/two", "a/sub/three", "b/one", "file" };

	place_make(&place);
	place.layer = place.keep_owners = true;
	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a", '5', .mode = 0755, .mtime = 5 });
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		maker_add(&tar, (struct maker_entry){ files[i], .uid = 7, .content = "lower" });
	maker_add(&tar, (struct maker_entry){ "closed", '5', .mode = 0755, .uid = 7 });
	maker_add(&tar, (struct maker_entry){ "closed/in/file", .uid = 7 });
	maker_add(&tar, (struct maker_entry){ "closed/in", '5', .mode = 01000 });
	maker_add(&tar, (struct maker_entry){ "closed", '5', .mode = 01000 });
	maker_add(&tar, (struct maker_entry){ "link", '2', "a" });
	maker_end(&tar);
	assert_int_equal(place_unpack_tar(&place, &tar), 0);
	maker_start(&tar);
	return 0;
}

static int remove_place(void **state)
{
	place_remove(&place);
	return 0;
}

static void add(const char *name)
{
	maker_add(&tar, (struct maker_entry){ name, .content = "upper" });
}

static void apply(void)
{
	maker_end(&tar);
	if (place_unpack_tar(&place, &tar))
		fail_msg("%s", place.err.text);
}

static void assert_refused(const char *says)
{
	maker_end(&tar);
	assert_int_equal(place_unpack_tar(&place, &tar), -1);
	if (!strstr(place.err.text, says))
		fail_msg("'%s' does not say '%s'", place.err.text, says);
}

static bool is_there(const char *path)
{
	return faccessat(place.root, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool is_listed(const char *path)
{
	return owners_find(&place.owners, path) != NULL;
}

static void a_whiteout_deletes_a_file(void **state)
{
	struct stat status;

	add("a/.wh.one");
	add(".wh.file");
	add("./.wh.link");
	add(".wh.nothing");
	add("no/such/.wh.thing");
	apply();
	assert_false(is_there("a/one"));
	assert_true(is_there("a/two"));
	assert_false(is_there("a/.wh.one"));
	assert_false(is_there("file"));
	assert_false(is_there("link"));
	assert_false(is_there("no"));
	assert_false(is_listed("/a/one"));
	assert_true(is_listed("/a/two"));
	assert_int_equal(fstatat(place.root, "a", &status, 0), 0);
	assert_int_equal(status.st_mtim.tv_sec, 5); /* only an entry for it would change it */
}

static void a_whiteout_deletes_a_directory(void **state)
{
	add(".wh.a");
	add(".wh.closed");
	apply();
	assert_false(is_there("a"));
	assert_false(is_there("closed"));
	assert_false(is_listed("/a/one"));
	assert_false(is_listed("/a/sub/three"));
	assert_false(is_listed("/closed/in/file"));
	assert_true(is_listed("/b/one"));
}

static void what_the_layer_has_itself_stays(void **state)
{
	add("a/new");
	add("a/one");
	add("file");
	add(".wh.a");
	add("a/sub/late");
	add(".wh.file");
	apply();
	assert_true(is_there("a/new"));
	assert_true(is_there("a/one"));
	assert_true(is_there("a/sub/late"));
	assert_true(is_there("file"));
	assert_false(is_there("a/two"));
	assert_false(is_there("a/sub/three"));
	assert_false(is_listed("/a/one"));
	assert_false(is_listed("/a/two"));
}

static void an_opaque_directory_loses_what_was_below(void **state)
{
	add("a/before");
	add("a/sub/before");
	add("a/.wh..wh..opq");
	add("a/after");
	add("closed/in/.wh..wh..opq");
	add("nowhere/.wh..wh..opq");
	apply();
	assert_true(is_there("a/before"));
	assert_true(is_there("a/sub/before"));
	assert_true(is_there("a/after"));
	assert_false(is_there("a/one"));
	assert_false(is_there("a/two"));
	assert_false(is_there("a/sub/three"));
	assert_true(is_there("b/one"));
	assert_false(is_there("nowhere"));
	assert_false(is_listed("/a/sub/three"));
	assert_false(is_listed("/closed/in/file"));
	assert_int_equal(fchmodat(place.root, "closed", 0700, 0), 0);
	assert_int_equal(fchmodat(place.root, "closed/in", 0700, 0), 0);
	assert_false(is_there("closed/in/file"));
}

static void an_opaque_root_loses_everything(void **state)
{
	add("kept/file");
	add(".wh..wh..opq");
	apply();
	assert_true(is_there("kept/file"));
	assert_false(is_there("a"));
	assert_false(is_there("file"));
	assert_false(is_there("closed"));
}

static void a_name_can_change_its_kind(void **state)
{
	add(".wh.a");
	add("a");
	maker_add(&tar, (struct maker_entry){ ".wh.file" });
	maker_add(&tar, (struct maker_entry){ "file", '5', .mode = 0700 });
	add("file/in");
	apply();
	assert_false(is_there("a/one"));
	assert_true(is_there("a"));
	assert_true(is_there("file/in"));
}

static void other_names_of_aufs_are_ignored(void **state)
{
	add(".wh..wh.aufs");
	add(".wh..wh.plnk/one");
	add("a/.wh..wh.orph");
	apply();
	assert_false(is_there(".wh..wh.aufs"));
	assert_false(is_there(".wh..wh.plnk"));
	assert_true(is_there("a/one"));
}

static void whiteouts_of_nothing_are_refused(void **state)
{
	static const char *const names[] = { "a/.wh.", ".wh..", "a/.wh...", "link/.wh.one" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (i)
			maker_start(&tar);
		add(names[i]);
		assert_refused(i == 3 ? "symbolic link" : "deletes nothing");
		assert_true(is_there("a/one"));
	}
}

static void deep_layers_are_no_problem(void **state)
{
	char deep[PATH_MAX], pax[PATH_MAX + 64];

	memset(deep, 0, sizeof(deep));
	for (size_t i = 0; i < 2000; i += 2)
		memcpy(deep + i, "d/", 2);
	snprintf(pax, sizeof(pax), "path=%snew\n", deep);
	maker_add(&tar, (struct maker_entry){ "x", .pax = pax });
	add(".wh..wh..opq");
	apply();
	assert_true(is_there("d/d/d"));
	maker_start(&tar);
	add(".wh.d");
	apply();
	assert_false(is_there("d"));
}

static void in_a_plain_tar_they_are_files(void **state)
{
	place.layer = false;
	add("a/.wh.one");
	add(".wh..wh..opq");
	apply();
	assert_true(is_there("a/.wh.one"));
	assert_true(is_there(".wh..wh..opq"));
	assert_true(is_there("a/one"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

static int run(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_whiteout_deletes_a_file),
		TEST(a_whiteout_deletes_a_directory),
		TEST(what_the_layer_has_itself_stays),
		TEST(an_opaque_directory_loses_what_was_below),
		TEST(an_opaque_root_loses_everything),
		TEST(a_name_can_change_its_kind),
		TEST(other_names_of_aufs_are_ignored),
		TEST(whiteouts_of_nothing_are_refused),
		TEST(deep_layers_are_no_problem),
		TEST(in_a_plain_tar_they_are_files),
	};

	return cmocka_run_group_tests_name(
		geteuid() ? "layers as an ordinary user" : "layers as root", tests, NULL, NULL);
}

int main(void)
{
	return run_as_both(run);
}
