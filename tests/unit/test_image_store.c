/* The cache of unpacked images: drafts, locks, leftovers, names and known files. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/refs.h"
#include "image/remove.h"
#include "image/sources.h"
#include "image/store.h"

#define ENTRY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static char place[64];

static int make_place(void **state)
{
	snprintf(place, sizeof(place), "/tmp/stet-test-store-XXXXXX");
	return mkdtemp(place) ? 0 : -1;
}

static int remove_place(void **state)
{
	return remove_tree(AT_FDCWD, place);
}

static struct image_store open_store(void)
{
	struct image_store store;
	struct error err;

	assert_int_equal(image_store_open(&store, place, &err), 0);
	return store;
}

static struct image_info make_info(const char *entry)
{
	struct image_info info = { .kind = IMAGE_TAR, .bytes = 5, .files = 1, .created = 7 };
	struct error err;

	snprintf(info.entry, sizeof(info.entry), "%s", entry);
	info.source = strdup("/some/where\377");
	assert_int_equal(image_entry_stamp(&info, &err), 0);
	return info;
}

static void make_entry(const struct image_store *store, const char *entry)
{
	struct image_info info = make_info(entry);
	struct image_draft draft;
	struct error err;

	assert_int_equal(image_draft_begin(store, &draft, &err), 0);
	assert_int_equal(mkdirat(draft.root, "directory", 0), 0);
	assert_int_equal(image_info_write(draft.dir, &info, &err), 0);
	assert_int_equal(image_draft_keep(store, &draft, entry, &err), 0);
	image_info_release(&info);
}

static int use(const struct image_store *store, const char *entry, int *lock)
{
	struct image_info info;
	struct error err;
	int found = image_entry_use(store, entry, &info, lock, &err);

	image_info_release(&info);
	return found;
}

static size_t count(const struct image_store *store)
{
	struct image_listing listing;
	struct error err;
	size_t found;

	assert_int_equal(image_store_list(store, &listing, &err), 0);
	found = listing.count;
	image_listing_release(&listing);
	return found;
}

static void entry_is_what_was_kept(void **state)
{
	struct image_store store = open_store();
	struct image_info info;
	struct error err;
	int lock;

	assert_int_equal(use(&store, ENTRY, &lock), 0);
	make_entry(&store, ENTRY);
	assert_int_equal(image_entry_use(&store, ENTRY, &info, &lock, &err), 1);
	assert_string_equal(info.source, "/some/where?");
	assert_int_equal(info.bytes, 5);
	assert_int_equal(info.created, 7);
	image_info_release(&info);
	close(lock);
	image_store_close(&store);
}

static void the_first_of_two_entries_stays(void **state)
{
	struct image_store store = open_store();
	struct stat before, after;

	make_entry(&store, ENTRY);
	assert_int_equal(fstatat(store.dir, ENTRY, &before, 0), 0);
	make_entry(&store, ENTRY);
	assert_int_equal(fstatat(store.dir, ENTRY, &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(count(&store), 1);
	image_store_close(&store);
}

static void entry_in_use_is_not_removed(void **state)
{
	struct image_store store = open_store();
	int lock, second;

	make_entry(&store, ENTRY);
	assert_int_equal(use(&store, ENTRY, &lock), 1);
	assert_int_equal(use(&store, ENTRY, &second), 1);
	assert_int_equal(image_entry_remove(&store, ENTRY), REMOVAL_IN_USE);
	close(lock);
	assert_int_equal(image_entry_remove(&store, ENTRY), REMOVAL_IN_USE);
	close(second);
	assert_int_equal(image_entry_remove(&store, ENTRY), REMOVED);
	assert_int_equal(image_entry_remove(&store, ENTRY), REMOVAL_GONE);
	assert_int_equal(use(&store, ENTRY, &lock), 0);
	image_store_close(&store);
}

static void drafts_of_others_are_swept_when_they_are_dead(void **state)
{
	struct image_store store = open_store(), second;
	struct image_draft alive, dead;
	struct stat status;
	struct error err;

	assert_int_equal(image_draft_begin(&store, &alive, &err), 0);
	assert_int_equal(image_draft_begin(&store, &dead, &err), 0);
	close(dead.lock);
	assert_int_equal(mkdirat(store.dir, "tmp.1-without-a-lock", 0700), 0);
	assert_int_equal(symlinkat("/etc", store.dir, "tmp.1-link"), 0);
	second = open_store();
	assert_int_equal(fstatat(store.dir, alive.name, &status, 0), 0);
	assert_int_equal(fstatat(store.dir, dead.name, &status, 0), -1);
	assert_int_equal(fstatat(store.dir, "tmp.1-without-a-lock", &status, 0), -1);
	assert_int_equal(fstatat(store.dir, "tmp.1-link", &status, AT_SYMLINK_NOFOLLOW), -1);
	close(dead.dir);
	close(dead.root);
	image_draft_drop(&store, &alive);
	assert_int_equal(count(&store), 0);
	image_store_close(&second);
	image_store_close(&store);
}

static void info_that_is_damaged_is_not_trusted(void **state)
{
	struct image_store store = open_store();
	struct stat status;
	int lock, fd;

	make_entry(&store, ENTRY);
	fd = openat(store.dir, ENTRY "/info", O_WRONLY);
	assert_int_equal(pwrite(fd, "x", 1, 80), 1);
	close(fd);
	assert_int_equal(count(&store), 0);
	assert_int_equal(use(&store, ENTRY, &lock), 0);
	assert_int_equal(fstatat(store.dir, ENTRY, &status, 0), -1);
	image_store_close(&store);
}

static void info_of_another_entry_is_not_trusted(void **state)
{
	struct image_store store = open_store();
	int lock;

	make_entry(&store, ENTRY);
	assert_int_equal(renameat(store.dir, ENTRY, store.dir, OTHER), 0);
	assert_int_equal(use(&store, OTHER, &lock), 0);
	image_store_close(&store);
}

static void names_are_checked(void **state)
{
	static const char *const bad[] = { "", ".", "../x", "a/b", "-a", "a\nb", "sha256:abcdef" };
	struct image_store store = open_store();
	char entry[HASH_TEXT];
	struct error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(image_ref_set(&store, bad[i], ENTRY, &err), -1);
	assert_int_equal(image_ref_set(&store, "debian:12", ENTRY, &err), 0);
	assert_int_equal(image_ref_find(&store, "debian:12", entry, &err), 1);
	assert_string_equal(entry, ENTRY);
	assert_int_equal(image_ref_find(&store, "../refs/debian:12", entry, &err), 0);
	assert_true(image_ref_remove(&store, "debian:12"));
	assert_false(image_ref_remove(&store, "debian:12"));
	image_store_close(&store);
}

static void digest_names_an_entry(void **state)
{
	struct image_store store = open_store();
	char entry[HASH_TEXT];
	struct error err;

	make_entry(&store, ENTRY);
	make_entry(&store, OTHER);
	assert_int_equal(image_ref_find(&store, "sha256:012345", entry, &err), 1);
	assert_string_equal(entry, ENTRY);
	assert_int_equal(image_ref_find(&store, "sha256:F12345", entry, &err), 1);
	assert_string_equal(entry, OTHER);
	assert_int_equal(image_ref_find(&store, "sha256:aaaaaa", entry, &err), 0);
	assert_int_equal(image_ref_find(&store, "sha256:01234", entry, &err), -1);
	assert_int_equal(image_ref_find(&store, "sha256:" ENTRY "0", entry, &err), -1);
	image_store_close(&store);
}

static void files_are_known_by_their_times_when_they_are_settled(void **state)
{
	struct image_store store = open_store();
	struct image_source source, tagged;
	char entry[HASH_TEXT];
	int file = openat(store.dir, "lock", O_RDWR | O_CREAT, 0600);

	assert_int_equal(image_source_look(&source, file, NULL), 0);
	assert_false(source.settled);
	image_source_remember(&store, &source, ENTRY);
	assert_false(image_source_find(&store, &source, entry));
	source.settled = true;
	image_source_remember(&store, &source, ENTRY);
	assert_true(image_source_find(&store, &source, entry));
	assert_string_equal(entry, ENTRY);
	assert_int_equal(image_source_look(&tagged, file, "latest"), 0);
	assert_false(image_source_find(&store, &tagged, entry));
	assert_true(image_source_same(&source, file));
	assert_int_equal(write(file, "x", 1), 1);
	assert_false(image_source_same(&source, file));
	close(file);
	image_store_close(&store);
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(entry_is_what_was_kept),
		STORE_TEST(the_first_of_two_entries_stays),
		STORE_TEST(entry_in_use_is_not_removed),
		STORE_TEST(drafts_of_others_are_swept_when_they_are_dead),
		STORE_TEST(info_that_is_damaged_is_not_trusted),
		STORE_TEST(info_of_another_entry_is_not_trusted),
		STORE_TEST(names_are_checked),
		STORE_TEST(digest_names_an_entry),
		STORE_TEST(files_are_known_by_their_times_when_they_are_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
