/* The digest of a tree: of what it is, and of what it is not. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/tree_digest.h"
#include "unpack_place.h"

static struct place place;
static char before[HASH_TEXT];

static void add_all(struct maker *tar)
{
	maker_add(tar, (struct maker_entry){ "bin", '5', .mode = 0755 });
	maker_add(tar, (struct maker_entry){ "bin/su", .mode = 04755, .content = "suid" });
	maker_add(tar, (struct maker_entry){ "bin/a name", '2', "su\n" });
	maker_add(tar, (struct maker_entry){ "bin/fifo", '6', .mode = 0600 });
	maker_add(tar, (struct maker_entry){ "bin/same", '1', "bin/su" });
	maker_add(tar, (struct maker_entry){ "bin-", .content = "" });
}

static int make_place(void **state)
{
	struct maker tar;

	place_make(&place);
	maker_start(&tar);
	add_all(&tar);
	maker_end(&tar);
	assert_int_equal(place_unpack_tar(&place, &tar), 0);
	assert_int_equal(tree_digest(place.root, NULL, before, &place.err), 0);
	return 0;
}

static int remove_place(void **state)
{
	place_remove(&place);
	return 0;
}

static void digest(const struct owners *owners, char text[HASH_TEXT])
{
	if (tree_digest(place.root, owners, text, &place.err))
		fail_msg("%s", place.err.text);
}

static void assert_same(void)
{
	char now[HASH_TEXT];

	digest(NULL, now);
	assert_string_equal(now, before);
}

/* And keeps it for the next comparison. */
static void assert_other(void)
{
	char now[HASH_TEXT];

	digest(NULL, now);
	assert_string_not_equal(now, before);
	strcpy(before, now);
}

#define EMPTY "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SUID  "sha256:15460c0b5edfae7f2ffbe4b0374123ca87016732fcaae48d6e0850f7cabe7943"
#define ALL                                                                                        \
	"stet tree 1\n"                                                                            \
	"/bin d 0755 0:0\n"                                                                        \
	"/bin- f 0644 0:0 0 " EMPTY "\n"                                                           \
	"/bin/a\\040name l 0777 0:0 su\\012\n"                                                     \
	"/bin/fifo p 0600 0:0\n"                                                                   \
	"/bin/same f 4755 0:0 4 " SUID "\n"                                                        \
	"/bin/su h /bin/same\n"

static void assert_is_of(const char digest[HASH_TEXT], const char *text)
{
	char expected[HASH_TEXT];
	struct hash hash;

	hash_start(&hash);
	hash_add(&hash, text, strlen(text));
	hash_finish(&hash, expected);
	assert_string_equal(digest, expected);
}

static void it_is_the_hash_of_the_documented_text(void **state)
{
	assert_is_of(before, ALL);
}

static void changes_show(void **state)
{
	int fd;

	assert_int_equal(fchmodat(place.root, "bin-", 0600, 0), 0);
	assert_other();
	fd = openat(place.root, "bin-", O_WRONLY);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_other();
	assert_int_equal(pwrite(fd, "y", 1, 0), 1);
	close(fd);
	assert_other();
	assert_int_equal(renameat(place.root, "bin-", place.root, "bin_"), 0);
	assert_other();
	assert_int_equal(unlinkat(place.root, "bin/a name", 0), 0);
	assert_other();
	assert_int_equal(symlinkat("su", place.root, "bin/a name"), 0);
	assert_other();
	assert_int_equal(fchmodat(place.root, "bin", 0700, 0), 0);
	assert_other();
	assert_int_equal(mkdirat(place.root, "empty", 0755), 0);
	assert_other();
	/* The same content under two names, but no longer one file. */
	assert_int_equal(unlinkat(place.root, "bin/same", 0), 0);
	fd = openat(place.root, "bin/same", O_WRONLY | O_CREAT, 0700);
	assert_int_equal(write(fd, "suid", 4), 4);
	assert_int_equal(fchmod(fd, 04755), 0);
	close(fd);
	assert_other();
}

static void what_is_no_part_of_it_does_not_show(void **state)
{
	const struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 2 } };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(utimensat(place.root, "bin/su", times, 0), 0);
	assert_int_equal(fchmod(place.root, 0700), 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/root/socket", place.path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	if (geteuid() == 0)
		assert_int_equal(mknodat(place.root, "bin/null", S_IFCHR | 0666, 0), 0);
	assert_same();
}

static void user_attributes_show(void **state)
{
	cleanup_close int fd = openat(place.root, "bin", O_RDONLY);

	if (fsetxattr(fd, "user.overlay.opaque", "y", 1, 0) && errno == ENOTSUP) {
		print_message("[   NOTE   ] /tmp has no extended attributes\n");
		skip();
	}
	assert_same();
	assert_int_equal(fsetxattr(fd, "user.a", "1", 1, 0), 0);
	assert_other();
	assert_int_equal(fsetxattr(fd, "user.a", "2", 1, 0), 0);
	assert_other();
}

/* Whether the files have the owners, or a list; closed ones are read too. */
static void a_list_is_as_good_as_owners(void **state)
{
	char text[HASH_TEXT];
	struct maker tar;

	for (int listed = geteuid() != 0; listed < 2; listed++) {
		place_remove(&place);
		place_make(&place);
		place.keep_owners = listed;
		maker_start(&tar);
		add_all(&tar);
		maker_add(&tar,
			(struct maker_entry){ "home", '5', .mode = 01000, .uid = 5, .gid = 6 });
		maker_add(&tar, (struct maker_entry){ "home/in", '5', .mode = 0111, .uid = 5 });
		maker_add(&tar, (struct maker_entry){ "home/in/file", .mode = 01000, .gid = 6 });
		maker_add(&tar, (struct maker_entry){ "home/in/link", '2', "x", .gid = 6 });
		maker_end(&tar);
		assert_int_equal(place_unpack_tar(&place, &tar), 0);
		digest(listed ? &place.owners : NULL, text);
		assert_is_of(text, ALL "/home d 1000 5:6\n"
				       "/home/in d 0111 5:0\n"
				       "/home/in/file f 1000 0:6 0 " EMPTY "\n"
				       "/home/in/link l 0777 0:6 x\n");
	}
}

static void closed_directories_stay_closed(void **state)
{
	struct stat status;
	char text[HASH_TEXT];

	assert_int_equal(mkdirat(place.root, "bin/closed", 0700), 0);
	assert_int_equal(fchmodat(place.root, "bin/closed", 01000, 0), 0);
	assert_int_equal(fchmod(place.root, 0), 0);
	digest(&place.owners, text);
	assert_int_equal(fstat(place.root, &status), 0);
	assert_int_equal(status.st_mode, S_IFDIR);
	assert_int_equal(fchmod(place.root, 0755), 0);
	assert_int_equal(fstatat(place.root, "bin/closed", &status, 0), 0);
	assert_int_equal(status.st_mode, S_IFDIR | 01000);
	if (geteuid() == 0)
		return;
	/* Of a directory that is not the cache's, nothing is changed: it cannot be read. */
	assert_int_equal(tree_digest(place.root, NULL, text, &place.err), -1);
	assert_non_null(strstr(place.err.text, "/bin/closed"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

static int run(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_is_the_hash_of_the_documented_text),
		TEST(changes_show),
		TEST(what_is_no_part_of_it_does_not_show),
		TEST(user_attributes_show),
		TEST(a_list_is_as_good_as_owners),
		TEST(closed_directories_stay_closed),
	};

	return cmocka_run_group_tests_name(
		geteuid() ? "digest as an ordinary user" : "digest as root", tests, NULL, NULL);
}

int main(void)
{
	return run_as_both(run);
}
