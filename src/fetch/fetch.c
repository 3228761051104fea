#include "fetch/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "fetch/interrupt.h"
#include "fetch/transfer.h"

/*
 * In the cache, a download is a file named by its checksum. It gets that name when it is complete,
 * checked and on the disk. Before, it is called as follows, and locked by who writes it; one that
 * nobody has locked was left by a process that was killed.
 */
#define PART	".part"
#define CHUNK	(1 << 20)
#define LOOK_NS 20000000

struct job {
	const struct fetch *fetch;
	const struct fetch_options *options;
	int cache;
	char part[HASH_TEXT + sizeof(PART)];
};

static int fail(const struct job *job, struct error *err)
{
	return error_set(err, errno, "--fetch: cannot write to the cache %s", job->options->cache);
}

static int hash_file(int fd, char text[HASH_TEXT], struct error *err)
{
	cleanup_free char *buffer = malloc(CHUNK);
	struct hash hash;
	ssize_t n = 0;

	if (!buffer)
		return error_set(err, ENOMEM, "--fetch");
	hash_start(&hash);
	while ((n = read(fd, buffer, CHUNK)) > 0) {
		hash_add(&hash, buffer, (size_t)n);
		if (interrupt_check(err))
			return -1;
	}
	hash_finish(&hash, text);
	return n < 0 ? error_set(err, errno, "--fetch: cannot read the cache") : 0;
}

/* 1 when the cache has it, 0 when it does not; a file that was damaged is removed. */
static int is_cached(const struct job *job, struct error *err)
{
	cleanup_close int fd = openat(
		job->cache, job->fetch->digest, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char digest[HASH_TEXT];

	if (fd < 0)
		return errno == ENOENT ? 0 : fail(job, err);
	if (hash_file(fd, digest, err))
		return -1;
	if (strcmp(digest, job->fetch->digest) == 0)
		return 1;
	return unlinkat(job->cache, job->fetch->digest, 0) ? fail(job, err) : 0;
}

/* Does the name still belong to the file? Who held the lock may have renamed or removed it. */
static bool is_named(const struct job *job, const char *name, int fd)
{
	struct stat own, there;

	return fstat(fd, &own) == 0 &&
	       fstatat(job->cache, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

/* By looking again and again: a signal just before a wait in the kernel would go unnoticed. */
static int wait_for_lock(int fd, struct error *err)
{
	const struct timespec moment = { 0, LOOK_NS };

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return error_set(err, errno, "--fetch: cannot lock a file of the cache");
		if (interrupt_check(err))
			return -1;
		nanosleep(&moment, NULL);
	}
	return 0;
}

/* The file to download to, locked; waits for others that download the same. */
static int open_part(const struct job *job, struct error *err)
{
	for (;;) {
		int fd = openat(
			job->cache, job->part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);

		if (fd < 0)
			return fail(job, err);
		if (wait_for_lock(fd, err)) {
			close(fd);
			return -1;
		}
		if (is_named(job, job->part, fd))
			return fd;
		close(fd);
	}
}

/* Removes what killed processes left. */
static void sweep(const struct job *job)
{
	int copy = fcntl(job->cache, F_DUPFD_CLOEXEC, 0);
	cleanup_dir DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		cleanup_close int fd = -1;
		size_t length = strlen(entry->d_name);

		if (length < strlen(PART) ||
			strcmp(entry->d_name + length - strlen(PART), PART) != 0)
			continue;
		fd = openat(job->cache, entry->d_name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
			is_named(job, entry->d_name, fd))
			unlinkat(job->cache, entry->d_name, 0);
	}
}

static int check_digest(struct transfer *transfer, struct error *err)
{
	const struct fetch *fetch = transfer->fetch;
	char digest[HASH_TEXT];

	hash_finish(&transfer->hash, digest);
	if (strcmp(digest, fetch->digest) == 0)
		return 0;
	return error_set(err, 0, "--fetch %s: has the checksum sha256=%s instead of %s",
		fetch->shown, digest, fetch->digest);
}

static int download(const struct job *job, int part, struct error *err)
{
	bool is_file = strncasecmp(job->fetch->url, "file:", 5) == 0;
	struct transfer transfer = { .fetch = job->fetch, .options = job->options, .file = part };

	hash_start(&transfer.hash);
	if (ftruncate(part, 0))
		return fail(job, err);
	if (is_file ? transfer_file(&transfer, err) : transfer_web(&transfer, err))
		return -1;
	return check_digest(&transfer, err);
}

static int keep(const struct job *job, int part, struct error *err)
{
	if (fchmod(part, 0444) || fsync(part) ||
		renameat(job->cache, job->part, job->cache, job->fetch->digest) ||
		fsync(job->cache))
		return fail(job, err);
	return 0;
}

static int make_cached(const struct job *job, struct error *err)
{
	cleanup_close int part = open_part(job, err);
	int found = part < 0 ? -1 : is_cached(job, err); /* who held the lock has brought it? */

	if (found == 0 && download(job, part, err) == 0 && keep(job, part, err) == 0)
		return 0;
	if (part >= 0)
		unlinkat(job->cache, job->part, 0);
	return found > 0 ? 0 : -1;
}

static int get(const struct job *job, struct error *err)
{
	int found = is_cached(job, err);

	if (found)
		return found < 0 ? -1 : 0;
	sweep(job);
	return make_cached(job, err);
}

int fetch_get(const struct fetch *fetch, const struct fetch_options *options, char **path,
	struct error *err)
{
	cleanup_close int cache = open(options->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct job job = { .fetch = fetch, .options = options, .cache = cache };
	struct interrupt interrupt;
	int failed;

	if (cache < 0)
		return error_set(err, errno, "--fetch: cannot open the cache %s", options->cache);
	snprintf(job.part, sizeof(job.part), "%s" PART, fetch->digest);
	interrupt_begin(&interrupt);
	failed = get(&job, err);
	interrupt_end(&interrupt);
	if (failed)
		return -1;
	if (asprintf(path, "%s/%s", options->cache, fetch->digest) < 0)
		return error_set(err, ENOMEM, "--fetch");
	return 0;
}
