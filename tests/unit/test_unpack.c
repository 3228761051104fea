/* What unpacking keeps of an archive, and which archives it refuses. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/gunzip.h"
#include "unpack_place.h"

static struct place place;

static int make_place(void **state)
{
	place_make(&place);
	return 0;
}

static int remove_place(void **state)
{
	place_remove(&place);
	return 0;
}

static struct stat look(const char *path)
{
	struct stat status;

	if (fstatat(place.root, path, &status, AT_SYMLINK_NOFOLLOW))
		fail_msg("%s is not there", path);
	return status;
}

static bool is_there(const char *path)
{
	return faccessat(place.root, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void assert_content(const char *path, const char *content)
{
	char text[256];
	int fd = openat(place.root, path, O_RDONLY | O_NOFOLLOW);
	ssize_t n = read(fd, text, sizeof(text));

	assert_int_equal(n, strlen(content));
	assert_memory_equal(text, content, n);
	close(fd);
}

static void assert_unpacked(struct maker *tar)
{
	maker_end(tar);
	if (place_unpack_tar(&place, tar))
		fail_msg("%s", place.err.text);
}

/* Fails, with a line that names the archive and says this. */
static void assert_refused(struct maker *tar, const char *says)
{
	maker_end(tar);
	assert_int_equal(place_unpack_tar(&place, tar), -1);
	if (!strstr(place.err.text, says) || !strstr(place.err.text, "test.tar"))
		fail_msg("'%s' does not say '%s'", place.err.text, says);
}

static void kinds_modes_and_times_are_kept(void **state)
{
	struct stat status;
	char target[32] = "";
	struct maker tar;

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "./", '5', .mode = 01711, .mtime = 7 });
	maker_add(&tar, (struct maker_entry){ "./bin/", '5', .mode = 02750, .mtime = 1000000000 });
	maker_add(&tar, (struct maker_entry){ "./bin/su", .mode = 04755, .content = "suid" });
	maker_add(&tar, (struct maker_entry){ "bin/link", '2', "/etc/passwd", .mtime = 77 });
	maker_add(&tar, (struct maker_entry){ "bin//./fifo", '6', .mode = 0600, .mtime = 78 });
	maker_add(&tar, (struct maker_entry){ "bin/same", '1', "./bin/su" });
	maker_add(
		&tar, (struct maker_entry){ "fine", .mtime = 1, .pax = "mtime=1234.000000005\n" });
	maker_add(&tar, (struct maker_entry){ "tmp", '5', .mode = 01777 });
	assert_unpacked(&tar);

	status = look(".");
	assert_int_equal(status.st_mode, S_IFDIR | 01711);
	assert_int_equal(status.st_mtim.tv_sec, 7);
	status = look("bin");
	assert_int_equal(status.st_mode, S_IFDIR | 02750);
	assert_int_equal(status.st_mtim.tv_sec, 1000000000);
	assert_content("bin/su", "suid");
	assert_int_equal(look("bin/su").st_mode, S_IFREG | 04755);
	assert_int_equal(look("bin/su").st_nlink, 2);
	assert_int_equal(look("bin/su").st_ino, look("bin/same").st_ino);
	assert_true(readlinkat(place.root, "bin/link", target, sizeof(target)) > 0);
	assert_string_equal(target, "/etc/passwd");
	assert_int_equal(look("bin/link").st_mtim.tv_sec, 77);
	assert_int_equal(look("bin/fifo").st_mode, S_IFIFO | 0600);
	assert_int_equal(look("bin/fifo").st_mtim.tv_sec, 78);
	assert_int_equal(look("fine").st_mtim.tv_sec, 1234);
	assert_int_equal(look("fine").st_mtim.tv_nsec, 5);
	assert_int_equal(look("tmp").st_mode, S_IFDIR | 01777);
}

static void directories_without_entries_are_fixed_ones(void **state)
{
	struct timespec times[2] = { { .tv_sec = 5 }, { .tv_sec = 6 } };
	struct maker tar;

	assert_int_equal(futimens(place.root, times), 0);
	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a/b/c" });
	assert_unpacked(&tar);
	assert_int_equal(look("a").st_mode, S_IFDIR | 0755);
	assert_int_equal(look("a/b").st_mode, S_IFDIR | 0755);
	assert_int_equal(look("a/b").st_mtim.tv_sec, 0);
	assert_int_equal(look("a").st_mtim.tv_sec, 0);
	assert_int_equal(look(".").st_mtim.tv_sec, 6);
}

static void closed_directories_get_what_is_in_them(void **state)
{
	struct maker tar;

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a", '5', .mode = 0555 });
	maker_add(&tar, (struct maker_entry){ "a/b", '5', .mode = 01000, .mtime = 3 });
	maker_add(&tar, (struct maker_entry){ "a/b/c", '5', .mode = 0111 });
	maker_add(&tar, (struct maker_entry){ "a/b/c/file", .content = "x" });
	assert_unpacked(&tar);
	assert_int_equal(look("a").st_mode, S_IFDIR | 0555);
	assert_int_equal(look("a/b").st_mode, S_IFDIR | 01000);

	/* A second archive finds them closed, and leaves them so. */
	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a/b/c/more", .content = "y" });
	assert_unpacked(&tar);
	assert_int_equal(look("a/b").st_mode, S_IFDIR | 01000);
	assert_int_equal(look("a/b").st_mtim.tv_sec, 3);
	if (geteuid() == 0)
		assert_content("a/b/c/more", "y");
	assert_int_equal(fchmodat(place.root, "a/b", 0700, 0), 0);
	assert_int_equal(look("a/b/c").st_mode, S_IFDIR | 0111);
	assert_content("a/b/c/more", "y");
}

static void later_entries_replace_earlier_ones(void **state)
{
	/* Each kind over each other one; what a link leads to must not change. */
	static const struct maker_entry kinds[] = {
		{ .type = '0', .content = "new" },
		{ .type = '2', .link = "victim" },
		{ .type = '2', .link = "empty" },
		{ .type = '6' },
		{ .type = '5', .mode = 0755 },
		{ .type = '1', .link = "linked" },
	};
	static const mode_t types[] = { S_IFREG, S_IFLNK, S_IFLNK, S_IFIFO, S_IFDIR, S_IFREG };
	const size_t count = sizeof(kinds) / sizeof(*kinds);
	struct maker tar;
	char name[32];

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "victim", .content = "old" });
	maker_add(&tar, (struct maker_entry){ "linked", .content = "linked" });
	maker_add(&tar, (struct maker_entry){ "empty", '5', .mode = 0711 });
	for (size_t i = 0; i < count * count; i++) {
		struct maker_entry first = kinds[i / count], second = kinds[i % count];

		sprintf(name, "%zu-%zu", i / count, i % count);
		first.name = second.name = name;
		maker_add(&tar, first);
		maker_add(&tar, second);
	}
	assert_unpacked(&tar);
	assert_content("victim", "old");
	assert_content("linked", "linked");
	assert_int_equal(look("empty").st_mode, S_IFDIR | 0711);
	for (size_t i = 0; i < count * count; i++) {
		sprintf(name, "%zu-%zu", i / count, i % count);
		assert_int_equal(look(name).st_mode & S_IFMT, types[i % count]);
	}
}

static void a_file_replaces_a_directory_with_all_in_it(void **state)
{
	struct maker tar;

	place.keep_owners = true;
	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a/b/c/d", .uid = 5 });
	maker_add(&tar, (struct maker_entry){ "a/b", .content = "file" });
	maker_add(&tar, (struct maker_entry){ "a/b", '5', .mode = 0700 });
	maker_add(&tar, (struct maker_entry){ "a/b/c/d", .content = "again" });
	assert_unpacked(&tar);
	assert_content("a/b/c/d", "again");
	assert_null(owners_find(&place.owners, "/a/b/c/d"));
}

static void names_are_bytes_of_any_length(void **state)
{
	char part[NAME_MAX + 1], whole[3 * NAME_MAX], pax[3 * NAME_MAX + 64];
	struct maker tar;

	memset(part, 'n', NAME_MAX);
	part[NAME_MAX] = 0;
	snprintf(whole, sizeof(whole), "%s/%s", part, part);
	snprintf(pax, sizeof(pax), "path=%s\n", whole);
	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "short", .pax = pax, .content = "pax" });
	maker_add(&tar, (struct maker_entry){ "b\303\251\377", .content = "bytes" });
	maker_add(
		&tar, (struct maker_entry){ "c", .pax = "path=e\314\201\377\n", .content = "utf" });
	maker_add(&tar, (struct maker_entry){ "l", '2', "t", .pax = "linkpath=e\314\201\377\n" });
	snprintf(whole, sizeof(whole), "%s/gnu", part);
	maker_add(&tar, (struct maker_entry){ "././@LongLink", 'L', .content = whole });
	maker_add(&tar, (struct maker_entry){ "cut", .content = "gnu" });
	assert_unpacked(&tar);
	assert_content(whole, "gnu");
	snprintf(whole, sizeof(whole), "%s/%s", part, part);
	assert_content(whole, "pax");
	assert_content("b\303\251\377", "bytes");
	assert_content("e\314\201\377", "utf");
	assert_int_equal(readlinkat(place.root, "l", whole, sizeof(whole)), 4);
	assert_memory_equal(whole, "e\314\201\377", 4);
}

static void bad_entries_are_refused(void **state)
{
	static const struct {
		struct maker_entry entry;
		const char *says;
	} bad[] = {
		{ { "../evil" }, "\"..\"" },
		{ { "a/../../evil" }, "\"..\"" },
		{ { "dir/.." }, "\"..\"" },
		{ { "/evil" }, "absolute" },
		{ { "out/evil" }, "symbolic link" },
		{ { "up/evil" }, "symbolic link" },
		{ { "in/evil" }, "symbolic link" },
		{ { "in/evil", '5' }, "symbolic link" },
		{ { "file/evil" }, "a file" },
		{ { "hard", '1', "nothing" }, "not there" },
		{ { "hard", '1', "../evil" }, "out of the image" },
		{ { "hard", '1', "/etc/passwd" }, "out of the image" },
		{ { "hard", '1', "out/passwd" }, "not there" },
		{ { "hard", '1', "dir" }, "directory" },
		{ { "hard", '1', "." }, "directory" },
		{ { "null", '3' }, "device" },
		{ { "sda", '4' }, "device" },
		{ { "x/dev/sda", '4' }, "device" },
		{ { "dev", '4' }, "device" },
		{ { "link", '2', "" }, "to nothing" },
		{ { ".", '0' }, "root" },
		{ { "./", '2', "x" }, "root" },
		{ { "", '0' }, "no name" },
		{ { "more", 'M' }, "not known" },
		{ { "owner", .pax = "uid=4294967295\n" }, "owner" },
		{ { "owner", .pax = "gid=-2\n" }, "owner" },
		{ { "size", .pax = "GNU.sparse.realsize=-5\n" }, "size" },
		{ { "size", .content = "abc", .pax = "GNU.sparse.realsize=2\n" },
			"behind its end" },
		{ { "pax", .pax = "broken\n" }, "pax" },
		{ { "sparse", .pax = "GNU.sparse.major=2\nGNU.sparse.minor=9\n" }, "sparse" },
	};
	struct maker tar;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		maker_start(&tar);
		maker_add(&tar, (struct maker_entry){ "dir", '5', .mode = 0755 });
		maker_add(&tar, (struct maker_entry){ "file" });
		maker_add(&tar, (struct maker_entry){ "out", '2', "/etc" });
		maker_add(&tar, (struct maker_entry){ "up", '2', ".." });
		maker_add(&tar, (struct maker_entry){ "in", '2', "dir" });
		maker_add(&tar, bad[i].entry);
		assert_refused(&tar, bad[i].says);
		assert_false(is_there("dir/evil"));
	}
}

static void names_that_are_too_long_are_refused(void **state)
{
	char name[PATH_MAX + 16], pax[PATH_MAX + 64];
	struct maker tar;

	for (size_t length = NAME_MAX + 1; length <= PATH_MAX; length += PATH_MAX - NAME_MAX - 1) {
		memset(name, 'n', length);
		name[length] = 0;
		for (size_t i = 100; length == PATH_MAX && i < length; i += 100)
			name[i] = '/';
		sprintf(pax, "path=%s\n", name);
		maker_start(&tar);
		maker_add(&tar, (struct maker_entry){ "x", .pax = pax });
		assert_refused(&tar, "too long");
	}
}

static void devices_below_dev_are_left_out(void **state)
{
	struct maker tar;

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "dev", '5', .mode = 0755 });
	maker_add(&tar, (struct maker_entry){ "./dev/null", '3' });
	maker_add(&tar, (struct maker_entry){ "dev/sda", '4' });
	maker_add(&tar, (struct maker_entry){ "dev/fd", '2', "/proc/self/fd" });
	assert_unpacked(&tar);
	assert_false(is_there("dev/null"));
	assert_false(is_there("dev/sda"));
	assert_true(is_there("dev/fd"));
}

static void a_hard_link_to_itself_changes_nothing(void **state)
{
	struct maker tar;

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "a", .content = "a" });
	maker_add(&tar, (struct maker_entry){ "a", '1', "./a" });
	maker_add(&tar, (struct maker_entry){ "l", '2', "a" });
	maker_add(&tar, (struct maker_entry){ "m", '1', "l" });
	assert_unpacked(&tar);
	assert_content("a", "a");
	assert_int_equal(look("m").st_mode & S_IFMT, S_IFLNK);
}

/* A small archive with one of each, and where its last entry ends. */
static size_t make_small(struct maker *tar)
{
	size_t size;

	maker_start(tar);
	maker_add(tar, (struct maker_entry){ "dir", '5', .mode = 0755 });
	maker_add(tar,
		(struct maker_entry){ "dir/file", .content = "content", .pax = "mtime=1.5\n" });
	maker_add(tar, (struct maker_entry){ "dir/link", '2', "file" });
	fflush(tar->stream);
	size = tar->size;
	maker_end(tar);
	return size;
}

static void an_archive_that_is_cut_off_is_refused(void **state)
{
	struct maker tar;
	size_t all = make_small(&tar);

	for (size_t size = 0; size <= all + 512; size += size % 512 ? 509 : 3) {
		int failed = place_unpack(&place, tar.data, size);

		/* One block of zeros is enough of an end, as it is for tar. */
		assert_int_equal(failed, size == all + 512 ? 0 : -1);
		if (failed && !strstr(place.err.text, "test.tar"))
			fail_msg("%zu bytes: %s", size, place.err.text);
	}
	maker_release(&tar);
}

static void damaged_headers_are_refused(void **state)
{
	struct maker tar;

	make_small(&tar);
	for (size_t at = 0; at < 512; at += 37) {
		tar.data[at] ^= 0x55;
		assert_int_equal(place_unpack(&place, tar.data, tar.size), -1);
		tar.data[at] ^= 0x55;
	}
	assert_int_equal(place_unpack(&place, tar.data, tar.size), 0);
	maker_release(&tar);
}

static void only_zeros_may_be_behind_the_end(void **state)
{
	static const char zeros[9000];
	struct maker tar, second;

	make_small(&tar);
	tar.stream = open_memstream(&second.data, &second.size);
	maker_add_bytes(&tar, tar.data, tar.size);
	maker_add_bytes(&tar, zeros, sizeof(zeros));
	fflush(tar.stream);
	assert_int_equal(place_unpack(&place, second.data, second.size), 0);
	second.data[second.size - 1] = 'x';
	assert_int_equal(place_unpack(&place, second.data, second.size), -1);
	assert_non_null(strstr(place.err.text, "behind the end"));
	second.data[second.size - 1] = 0;
	maker_add_bytes(&tar, tar.data, tar.size);
	fclose(tar.stream);
	assert_int_equal(place_unpack(&place, second.data, second.size), -1);
	assert_non_null(strstr(place.err.text, "behind the end"));
	maker_release(&second);
	maker_release(&tar);
}

static void what_is_no_tar_is_refused(void **state)
{
	char junk[4096];

	assert_int_equal(place_unpack(&place, "", 0), -1);
	assert_int_equal(place_unpack(&place, "#!/bin/sh\n", 10), -1);
	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)(i * 7 + i / 256);
	assert_int_equal(place_unpack(&place, junk, sizeof(junk)), -1);
	assert_int_equal(place_unpack(&place, "PK\003\004................", 20), -1);
	memset(junk, 0, sizeof(junk)); /* an archive without entries */
	assert_int_equal(place_unpack(&place, junk, sizeof(junk)), 0);
}

static const struct {
	int (*filter)(struct archive *);
	bool is_checked; /* has a sum of its content */
} filters[] = {
	{ archive_write_add_filter_none, false },
	{ archive_write_add_filter_gzip, true },
	{ archive_write_add_filter_bzip2, true },
	{ archive_write_add_filter_xz, true },
	{ archive_write_add_filter_lzma, false },
	{ archive_write_add_filter_zstd, false },
	{ archive_write_add_filter_lz4, true },
	{ archive_write_add_filter_compress, false },
};

struct output {
	char data[1 << 20];
	size_t size;
};

static struct output output;

static void compress_bytes(
	struct output *to, int (*filter)(struct archive *), const void *data, size_t size)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();

	assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
	assert_int_equal(filter(archive), ARCHIVE_OK);
	assert_int_equal(archive_write_open_memory(archive, to->data, sizeof(to->data), &to->size),
		ARCHIVE_OK);
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, data, size), size);
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
	archive_entry_free(entry);
}

/* One file with this much in it. */
static void make_large(struct maker *tar, size_t size)
{
	cleanup_free char *content = calloc(1, size + 1);

	memset(content, 'x', size);
	maker_start(tar);
	maker_add(tar, (struct maker_entry){ "dir/file", .content = content, .mode = 0640 });
	maker_end(tar);
}

static void every_compression_is_known(void **state)
{
	struct maker tar;

	make_large(&tar, 500000); /* more than decompressors give at once */
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		compress_bytes(&output, filters[i].filter, tar.data, tar.size);
		place.limit = 1 << 20;
		if (place_unpack(&place, output.data, output.size))
			fail_msg("%s", place.err.text);
		assert_int_equal(look("dir/file").st_size, 500000);
		assert_int_equal(look("dir/file").st_mode, S_IFREG | 0640);
		assert_int_equal(unlinkat(place.root, "dir/file", 0), 0);
	}
	maker_release(&tar);
}

/* Wherever the input is cut into pieces, and however much comes of one. */
static void gzip_comes_in_any_pieces(void **state)
{
	const size_t size = 1 << 20;
	cleanup_free char *zeros = calloc(1, size);
	const void *data;
	const char *why;

	compress_bytes(&output, archive_write_add_filter_gzip, zeros, size);
	for (size_t piece = 1; piece < 260; piece++) {
		struct gunzip *gunzip = gunzip_new();
		size_t got = 0, at = 0;
		ssize_t n;

		while ((n = gunzip_read(gunzip, &data, &why)) > 0 || (n == 0 && at < output.size)) {
			got += (size_t)n;
			if (n == 0) {
				size_t left = output.size - at;

				gunzip_give(gunzip, output.data + at, left < piece ? left : piece);
				at += left < piece ? left : piece;
			}
		}
		assert_int_equal(n, 0);
		assert_int_equal(got, size);
		assert_true(gunzip_is_complete(gunzip));
		gunzip_free(gunzip);
	}
}

static void damaged_compressions_are_refused(void **state)
{
	struct maker tar;

	make_large(&tar, 50000);
	for (size_t i = 1; i < sizeof(filters) / sizeof(*filters); i++) {
		compress_bytes(&output, filters[i].filter, tar.data, tar.size);
		for (size_t size = 0; size < output.size; size += 1 + output.size / 20)
			assert_int_equal(place_unpack(&place, output.data, size), -1);
		output.data[output.size / 2] ^= 0x10;
		if (filters[i].is_checked)
			assert_int_equal(place_unpack(&place, output.data, output.size), -1);
	}
	maker_release(&tar);
}

static void bombs_end_at_the_limit(void **state)
{
	static struct output second;
	const size_t size = 64 << 20;
	cleanup_free char *zeros = calloc(1, size);
	struct maker tar;

	make_large(&tar, size);
	compress_bytes(&output, archive_write_add_filter_zstd, tar.data, tar.size);
	maker_release(&tar);
	assert_int_equal(place_unpack(&place, output.data, output.size), -1);
	assert_non_null(strstr(place.err.text, "--image-limit"));
	assert_false(is_there("dir/file"));

	/* An archive without entries, and much behind it. */
	compress_bytes(&output, archive_write_add_filter_zstd, zeros, size);
	assert_int_equal(place_unpack(&place, output.data, output.size), -1);
	assert_non_null(strstr(place.err.text, "--image-limit"));

	compress_bytes(&second, archive_write_add_filter_zstd, output.data, output.size);
	assert_int_equal(place_unpack(&place, second.data, second.size), -1);
	assert_non_null(strstr(place.err.text, "more than once"));
}

static void old_formats_are_known(void **state)
{
	struct maker tar;

	maker_start(&tar);
	maker_add(&tar, (struct maker_entry){ "old/", .mode = 0755, .magic = "\0\0\0\0\0\0\0" });
	maker_add(&tar,
		(struct maker_entry){ "old/file", .magic = "\0\0\0\0\0\0\0", .content = "v7" });
	maker_add(&tar, (struct maker_entry){ "gnu", .magic = "ustar  ", .content = "gnu" });
	assert_unpacked(&tar);
	assert_content("old/file", "v7");
	assert_content("gnu", "gnu");
}

static void the_limit_counts_bytes_and_entries(void **state)
{
	struct maker tar;

	for (int missing = 0; missing < 2; missing++) {
		maker_start(&tar);
		maker_add(&tar, (struct maker_entry){ "a", .content = "four" });
		maker_add(&tar, (struct maker_entry){ "b", .content = "fives" });
		place.limit = (uint64_t)(2 * UNPACK_ENTRY_COST + 9 - missing);
		if (missing) {
			assert_refused(&tar, "--image-limit");
		} else {
			assert_unpacked(&tar);
			assert_int_equal(place.limit, 0);
		}
	}
	maker_start(&tar);
	for (int i = 0; i < 10; i++)
		maker_add(&tar, (struct maker_entry){ "a", '5', .mode = 0755 });
	place.limit = 9 * UNPACK_ENTRY_COST;
	assert_refused(&tar, "--image-limit");
}

/* Not every view of files tells holes: Stet's does not. */
static bool shows_holes(void)
{
	int fd = openat(place.root, "probe", O_CREAT | O_WRONLY, 0600);
	struct stat st;
	bool small;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	assert_int_equal(fstat(fd, &st), 0);
	small = st.st_blocks < 1024;
	close(fd);
	assert_int_equal(unlinkat(place.root, "probe", 0), 0);
	return small;
}

static void sparse_files_stay_sparse_and_count_whole(void **state)
{
	const char *pax = "GNU.sparse.major=1\nGNU.sparse.minor=0\n"
			  "GNU.sparse.name=holes\nGNU.sparse.realsize=1073741824\n";
	char content[1024] = "1\n1073741820\n4\n", end[4];
	struct maker tar;
	int fd;

	memcpy(content + 512, "tail", 4);
	for (uint64_t limit = 2ull << 30; limit >= 1ull << 30; limit /= 2) {
		maker_start(&tar);
		maker_add(&tar,
			(struct maker_entry){ "GNUSparseFile/holes", .pax = pax, .size = 516 });
		maker_add_bytes(&tar, content, sizeof(content));
		place.limit = limit;
		if (limit == 1ull << 30) {
			assert_refused(&tar, "--image-limit");
			break;
		}
		assert_unpacked(&tar);
		assert_int_equal(look("holes").st_size, 1 << 30);
		assert_true(!shows_holes() || look("holes").st_blocks < 1024);
		fd = openat(place.root, "holes", O_RDONLY);
		assert_int_equal(pread(fd, end, 4, (1 << 30) - 4), 4);
		assert_memory_equal(end, "tail", 4);
		close(fd);
	}
}

static void owners_are_given_or_listed(void **state)
{
	const struct owner *owner;
	struct maker tar;

	for (int listed = geteuid() != 0; listed < 2; listed++) {
		place.keep_owners = listed;
		maker_start(&tar);
		maker_add(&tar, (struct maker_entry){ "./", '5', .mode = 0755, .uid = 9 });
		maker_add(&tar,
			(struct maker_entry){ "home", '5', .mode = 0755, .uid = 1000, .gid = 7 });
		maker_add(&tar, (struct maker_entry){ "home/suid", .mode = 06755, .uid = 1000 });
		maker_add(&tar, (struct maker_entry){ "home/link", '2', "suid", .gid = 3000000 });
		maker_add(&tar, (struct maker_entry){ "home/fifo", '6', .gid = 8 });
		maker_add(&tar, (struct maker_entry){ "home/same", '1', "home/suid", .uid = 5 });
		maker_add(&tar, (struct maker_entry){ "home/once", .uid = 5 });
		maker_add(&tar, (struct maker_entry){ "home/once" });
		maker_add(&tar, (struct maker_entry){ "big", .pax = "uid=4294967294\n" });
		assert_unpacked(&tar);
		assert_int_equal(look("home/suid").st_mode, S_IFREG | 06755);
		if (!listed) {
			assert_int_equal(place.owners.count, 0);
			assert_int_equal(look(".").st_uid, 9);
			assert_int_equal(look("home").st_uid, 1000);
			assert_int_equal(look("home").st_gid, 7);
			assert_int_equal(look("home/same").st_uid, 1000);
			assert_int_equal(look("home/link").st_gid, 3000000);
			assert_int_equal(look("home/fifo").st_gid, 8);
			assert_int_equal(look("home/once").st_uid, 0);
			assert_int_equal(look("big").st_uid, 4294967294u);
			continue;
		}
		owner = owners_find(&place.owners, "/");
		assert_int_equal(owner->uid, 9);
		owner = owners_find(&place.owners, "/home");
		assert_int_equal(owner->uid, 1000);
		assert_int_equal(owner->gid, 7);
		assert_int_equal(owners_find(&place.owners, "/home/same")->uid, 1000);
		assert_int_equal(owners_find(&place.owners, "/home/link")->gid, 3000000);
		assert_int_equal(owners_find(&place.owners, "/home/fifo")->gid, 8);
		assert_null(owners_find(&place.owners, "/home/once"));
		assert_int_equal(owners_find(&place.owners, "/big")->uid, 4294967294u);
	}
}

static void user_attributes_are_kept_and_no_others(void **state)
{
	char list[256], value[8] = "";
	struct maker tar;

	if (fsetxattr(place.root, "user.probe", "1", 1, 0) && errno == ENOTSUP) {
		print_message("[   NOTE   ] /tmp has no extended attributes\n");
		skip();
	}
	maker_start(&tar);
	maker_add(&tar,
		(struct maker_entry){ "file", .pax = "SCHILY.xattr.user.one=first\n"
						     "LIBARCHIVE.xattr.user.two=c2Vjb25k\n"
						     "SCHILY.xattr.user.overlay.opaque=y\n"
						     "SCHILY.xattr.trusted.overlay.opaque=y\n"
						     "SCHILY.xattr.security.capability=abc\n" });
	maker_add(&tar, (struct maker_entry){
				"dir", '5', .mode = 0500, .pax = "SCHILY.xattr.user.of=dir\n" });
	maker_add(&tar,
		(struct maker_entry){ "link", '2', "file", .pax = "SCHILY.xattr.user.of=l\n" });
	assert_unpacked(&tar);

	int fd = openat(place.root, "file", O_RDONLY);
	assert_int_equal(flistxattr(fd, list, sizeof(list)), 18);
	assert_int_equal(fgetxattr(fd, "user.one", value, sizeof(value)), 5);
	assert_memory_equal(value, "first", 5);
	assert_int_equal(fgetxattr(fd, "user.two", value, sizeof(value)), 6);
	assert_memory_equal(value, "second", 6);
	close(fd);
	fd = openat(place.root, "dir", O_RDONLY);
	assert_int_equal(fgetxattr(fd, "user.of", value, sizeof(value)), 3);
	close(fd);
	assert_int_equal(look("dir").st_mode, S_IFDIR | 0500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

static int run(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kinds_modes_and_times_are_kept),
		TEST(directories_without_entries_are_fixed_ones),
		TEST(closed_directories_get_what_is_in_them),
		TEST(later_entries_replace_earlier_ones),
		TEST(a_file_replaces_a_directory_with_all_in_it),
		TEST(names_are_bytes_of_any_length),
		TEST(bad_entries_are_refused),
		TEST(names_that_are_too_long_are_refused),
		TEST(devices_below_dev_are_left_out),
		TEST(a_hard_link_to_itself_changes_nothing),
		TEST(an_archive_that_is_cut_off_is_refused),
		TEST(damaged_headers_are_refused),
		TEST(only_zeros_may_be_behind_the_end),
		TEST(what_is_no_tar_is_refused),
		TEST(old_formats_are_known),
		TEST(every_compression_is_known),
		TEST(gzip_comes_in_any_pieces),
		TEST(damaged_compressions_are_refused),
		TEST(bombs_end_at_the_limit),
		TEST(the_limit_counts_bytes_and_entries),
		TEST(sparse_files_stay_sparse_and_count_whole),
		TEST(owners_are_given_or_listed),
		TEST(user_attributes_are_kept_and_no_others),
	};

	return cmocka_run_group_tests_name(
		geteuid() ? "unpack as an ordinary user" : "unpack as root", tests, NULL, NULL);
}

int main(void)
{
	return run_as_both(run);
}
