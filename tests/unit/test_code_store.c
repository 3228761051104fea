/* The cache's directory survives truncation, foreign files, concurrency, and having no room. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "code/known.h"
#include "code/prune.h"
#include "code/resolve.h"

#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"

struct fixture {
	char path[64], cache[96];
	struct store store;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->path, "/tmp/test_code_store_XXXXXX");
	if (!f || !mkdtemp(f->path))
		return -1;
	snprintf(f->cache, sizeof(f->cache), "%s/deep/er/code", f->path);
	*state = f;
	return store_open(&f->store, f->cache) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	store_close(&f->store);
	nftw(f->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

static int open_libc(void)
{
	int fd = open(LIBC, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static unsigned count_entries(const char *path, const char *subdirectory)
{
	char command[256], line[32] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "find '%s%s' -mindepth 1 -maxdepth 1 ! -type d | wc -l",
		path, subdirectory);
	pipe = popen(command, "r");
	assert_non_null(fgets(line, sizeof(line), pipe));
	pclose(pipe);
	return (unsigned)atoi(line);
}

static void second_look_finds_what_the_first_made(void **state)
{
	struct fixture *f = *state;
	struct code_header first, second;
	char name[STORE_NAME], again[STORE_NAME];
	int fd = open_libc();

	assert_true(resolve(&f->store, fd, name, &first));
	assert_int_equal(count_entries(f->cache, ""), 1);
	assert_int_equal(count_entries(f->cache, "/identity"), 1);
	assert_true(resolve(&f->store, fd, again, &second));
	assert_string_equal(name, again);
	assert_memory_equal(&first, &second, sizeof(first));
	assert_int_equal(strlen(name), 66);
	close(fd);
}

static void corrupt(struct fixture *f, const char *name, off_t at, char byte)
{
	int fd = openat(f->store.directory, name, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void damaged_file_is_replaced(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char name[STORE_NAME];
	int fd = open_libc();
	struct stat st;

	assert_true(resolve(&f->store, fd, name, &header));
	static const off_t places[] = { 0, 9, 20, 60, 100, 4096, 200000 };

	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		corrupt(f, name, places[i], 0x5a);
		assert_false(store_check(&f->store, name, &header));
		assert_true(resolve(&f->store, fd, name, &header));
		assert_true(store_check(&f->store, name, &header));
	}
	for (off_t size = 0; size < 3 * 4096; size += 1111) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%s", f->cache, name);
		assert_int_equal(truncate(path, size), 0);
		assert_false(store_check(&f->store, name, &header));
		assert_true(resolve(&f->store, fd, name, &header));
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, header.file_size);
	}
	assert_int_equal(count_entries(f->cache, ""), 1);
	close(fd);
}

static void file_of_another_source_is_not_accepted(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char name[STORE_NAME], other[STORE_NAME];
	int fd = open_libc();

	assert_true(resolve(&f->store, fd, name, &header));
	strcpy(other, name);
	other[0] = name[0] == '0' ? '1' : '0';
	assert_int_equal(renameat(f->store.directory, name, f->store.directory, other), 0);
	assert_false(store_check(&f->store, other, &header));
	assert_int_equal(symlinkat(other, f->store.directory, name), 0);
	assert_false(store_check(&f->store, name, &header));
	assert_true(resolve(&f->store, fd, name, &header));
	close(fd);
}

static void plain_file_is_remembered(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char name[STORE_NAME];
	int fd = open("/bin/true", O_RDONLY);
	struct known_identity identity = known_identify(fd);

	assert_false(resolve(&f->store, fd, name, &header));
	assert_int_equal(known_find(&f->store, &identity, name), KNOWN_PLAIN);
	assert_int_equal(count_entries(f->cache, ""), 0);
	close(fd);
}

static void fresh_file_is_not_indexed(void **state)
{
	struct fixture *f = *state;
	struct known_identity identity;
	char path[96], command[256];
	int fd;

	snprintf(path, sizeof(path), "%s/fresh", f->path);
	snprintf(command, sizeof(command), "cp %s %s", LIBC, path);
	assert_int_equal(system(command), 0);
	fd = open(path, O_RDONLY);
	identity = known_identify(fd);
	assert_string_equal(identity.text, "");
	close(fd);
}

static void changed_file_gets_another_copy(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char path[96], command[256], name[STORE_NAME], other[STORE_NAME];
	int fd;

	snprintf(path, sizeof(path), "%s/file", f->path);
	snprintf(command, sizeof(command), "cp %s %s", LIBC, path);
	assert_int_equal(system(command), 0);
	fd = open(path, O_RDWR);
	assert_true(resolve(&f->store, fd, name, &header));
	assert_int_equal(pwrite(fd, "x", 1, 0x100), 1);
	assert_true(resolve(&f->store, fd, other, &header));
	assert_string_not_equal(name, other);
	close(fd);
}

static void not_a_program_is_plain(void **state)
{
	struct fixture *f = *state;
	static const char *const paths[] = { "/dev/zero", "/dev/null", "/etc/passwd", "/tmp",
		"/proc/kmsg", "/proc/self/maps" };
	struct code_header header;
	char name[STORE_NAME];
	int pipes[2];

	for (unsigned i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		int fd = open(paths[i], O_RDONLY);

		assert_false(resolve(&f->store, fd, name, &header));
		if (fd >= 0)
			close(fd);
	}
	assert_int_equal(pipe(pipes), 0);
	assert_false(resolve(&f->store, pipes[0], name, &header));
	close(pipes[0]);
	close(pipes[1]);
	assert_false(resolve(&f->store, -1, name, &header));
}

static void concurrent_runs_agree(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char name[STORE_NAME];
	int fd = open_libc(), status;

	for (unsigned i = 0; i < 8; i++) {
		if (fork())
			continue;
		bool good = true;

		for (unsigned round = 0; round < 5; round++) {
			good = good && resolve(&f->store, fd, name, &header);
			if (round == 2)
				unlinkat(f->store.directory, name, 0);
		}
		_exit(good ? 0 : 1);
	}
	for (unsigned i = 0; i < 8; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_true(resolve(&f->store, fd, name, &header));
	assert_int_equal(count_entries(f->cache, ""), 1);
	close(fd);
}

/* Mounts a small file system that nobody else sees; false when this is not allowed. */
static bool mount_privately(const char *path, const char *options)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mkdir(path, 0700) && !mount("tmpfs", path, "tmpfs", 0, options);
}

static void full_disk_means_uncached(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char path[96], name[STORE_NAME];
	struct store store;
	int fd = open_libc();

	snprintf(path, sizeof(path), "%s/tiny", f->path);
	if (!mount_privately(path, "size=128k,mode=700")) {
		close(fd);
		skip();
	}
	assert_true(store_open(&store, path));
	assert_false(resolve(&store, fd, name, &header));
	assert_int_equal(count_entries(path, ""), 0);
	assert_false(resolve(&store, fd, name, &header));
	store_close(&store);
	umount(path);
	close(fd);
}

static void read_only_directory_means_uncached(void **state)
{
	struct fixture *f = *state;
	struct code_header header;
	char path[96], below[128], name[STORE_NAME];
	struct store store;
	int fd = open_libc();

	snprintf(path, sizeof(path), "%s/ro", f->path);
	snprintf(below, sizeof(below), "%s/code", path);
	if (!mount_privately(path, "mode=700")) {
		close(fd);
		skip();
	}
	assert_true(store_open(&store, below));
	store_close(&store);
	assert_int_equal(mount(NULL, path, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	assert_true(store_open(&store, below));
	assert_false(resolve(&store, fd, name, &header));
	store_close(&store);
	strcat(below, "/not/there");
	assert_false(store_open(&store, below));
	umount(path);
	close(fd);
}

static void directory_that_others_can_write_is_not_used(void **state)
{
	struct fixture *f = *state;
	struct store store;

	assert_int_equal(chmod(f->cache, 0777), 0);
	assert_false(store_open(&store, f->cache));
	assert_int_equal(store.directory, -1);
	assert_int_equal(chmod(f->cache, 0700), 0);
}

static void other_users_can_read_what_they_run(void **state)
{
	struct fixture *f = *state;
	mode_t mask = umask(077);
	struct code_header header;
	char name[STORE_NAME], path[128];
	int fd = open_libc();
	struct store store;
	struct stat st;

	snprintf(path, sizeof(path), "%s/other/code", f->path);
	assert_true(store_open(&store, path));
	assert_true(resolve(&store, fd, name, &header));
	assert_int_equal(fstat(store.directory, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(fstatat(store.directory, name, &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	store_close(&store);
	assert_int_equal(chmod(path, 0700), 0);
	assert_true(store_open(&store, path));
	assert_int_equal(fstat(store.directory, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	store_close(&store);
	close(fd);
	umask(mask);
}

static void leftovers_of_killed_runs_are_removed(void **state)
{
	struct fixture *f = *state;
	struct timespec old[2] = { { time(NULL) - 7200, 0 }, { time(NULL) - 7200, 0 } };
	int fd = openat(f->store.directory, PRUNE_TEMPORARY "0123", O_CREAT | O_WRONLY, 0600);

	assert_int_equal(futimens(fd, old), 0);
	close(fd);
	close(openat(f->store.directory, PRUNE_TEMPORARY "4567", O_CREAT | O_WRONLY, 0600));
	prune(f->store.directory, f->store.identities);
	assert_int_equal(faccessat(f->store.directory, PRUNE_TEMPORARY "0123", F_OK, 0), -1);
	assert_int_equal(faccessat(f->store.directory, PRUNE_TEMPORARY "4567", F_OK, 0), 0);
}

/* What was changed a moment ago is not remembered. These are old, but not where time begins with the
 * test. */
static int wait_until_old(void **state)
{
	struct timespec second = { .tv_sec = 1 };
	struct stat libc, true_program;

	(void)state;
	if (stat(LIBC, &libc) < 0 || stat("/bin/true", &true_program) < 0)
		return -1;
	for (int i = 0; i < 10 &&
			(libc.st_ctime + 5 > time(NULL) || true_program.st_ctime + 5 > time(NULL));
		i++)
		nanosleep(&second, NULL);
	return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(second_look_finds_what_the_first_made),
		TEST(damaged_file_is_replaced),
		TEST(file_of_another_source_is_not_accepted),
		TEST(plain_file_is_remembered),
		TEST(fresh_file_is_not_indexed),
		TEST(changed_file_gets_another_copy),
		TEST(not_a_program_is_plain),
		TEST(concurrent_runs_agree),
		TEST(full_disk_means_uncached),
		TEST(read_only_directory_means_uncached),
		TEST(directory_that_others_can_write_is_not_used),
		TEST(other_users_can_read_what_they_run),
		TEST(leftovers_of_killed_runs_are_removed),
	};

	return cmocka_run_group_tests(tests, wait_until_old, NULL);
}
