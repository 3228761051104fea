#include "code/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* In this file rather than from a library: one less to load at each start. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/cleanup.h"
#include "base/write_all.h"
#include "code/elf_file.h"
#include "code/prune.h"

#define CHUNK	   (64u << 10) /* stays in the cache, and on the heap */
#define USED_AFTER 86400       /* seconds after which a used file is marked as used again */

/* Programs in a container may run as other users, and must be able to map what they run. Whom the
 * directories above let through is their business. */
#define DIRECTORY_MODE 0755
#define FILE_MODE      0644

/* Makes the directory, and those above it for its owner only. */
static int make_directories(const char *path)
{
	cleanup_free char *copy = strdup(path);

	if (!copy)
		return -1;
	for (char *at = copy + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = 0;
		if (mkdir(copy, 0700) && errno != EEXIST)
			return -1;
		*at = '/';
	}
	return mkdir(copy, DIRECTORY_MODE) && errno != EEXIST ? -1 : 0;
}

/* Its files become code: nobody else may be able to put any there. */
static bool is_private(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Whoever made it, and by whatever umask. */
static bool is_open_to_all(int fd)
{
	struct stat st;

	return !fstat(fd, &st) &&
	       ((st.st_mode & DIRECTORY_MODE) == DIRECTORY_MODE || !fchmod(fd, DIRECTORY_MODE));
}

bool store_open(struct store *store, const char *path)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	*store = (struct store){ -1, -1, false };
	store->directory = open(path, flags);
	if (store->directory < 0 && errno == ENOENT && !make_directories(path))
		store->directory = open(path, flags);
	if (store->directory < 0)
		return false;
	if (is_private(store->directory) && is_open_to_all(store->directory)) {
		store->identities = openat(store->directory, STORE_IDENTITIES, flags);
		if (store->identities < 0 && !mkdirat(store->directory, STORE_IDENTITIES, 0700))
			store->identities = openat(store->directory, STORE_IDENTITIES, flags);
		if (store->identities >= 0)
			return true;
	}
	close(store->directory);
	store->directory = -1;
	return false;
}

void store_close(struct store *store)
{
	if (store->written)
		prune(store->directory, store->identities);
	if (store->directory >= 0)
		close(store->directory);
	if (store->identities >= 0)
		close(store->identities);
	*store = (struct store){ -1, -1, false };
}

void store_name(char name[STORE_NAME], const uint8_t digest[STORE_DIGEST])
{
	for (unsigned i = 0; i < STORE_DIGEST; i++)
		sprintf(name + 2 * i, "%02x", digest[i]);
	snprintf(name + 2 * STORE_DIGEST, STORE_NAME - 2 * STORE_DIGEST, "-%u", CODE_FORMAT);
}

static bool range_inside(uint64_t offset, uint64_t length, uint64_t size)
{
	return offset % CODE_PAGE == 0 && offset >= CODE_PAGE && offset <= size &&
	       length <= size - offset;
}

static bool header_valid(const struct code_header *header, const char *name, uint64_t size)
{
	char own_name[STORE_NAME];

	store_name(own_name, header->source_digest);
	return !memcmp(header->magic, CODE_MAGIC, sizeof(header->magic)) &&
	       header->format == CODE_FORMAT && header->file_size == size &&
	       !strcmp(own_name, name) && header->length % CODE_PAGE == 0 &&
	       header->stub_length % CODE_PAGE == 0 && header->source_offset % CODE_PAGE == 0 &&
	       header->table_length == header->sites * sizeof(struct code_site) &&
	       range_inside(header->copy_offset, header->length, size) &&
	       range_inside(header->stub_offset, header->stub_length, size) &&
	       range_inside(header->table_offset, header->table_length, size);
}

/* By reads rather than a mapping: a file that shrinks meanwhile must not raise SIGBUS here. */
static bool checksum_matches(int fd, uint64_t size, uint64_t expected)
{
	cleanup_free uint8_t *chunk = malloc(CHUNK);
	uint64_t at = CODE_PAGE;
	XXH3_state_t state;

	if (!chunk || XXH3_64bits_reset(&state) != XXH_OK)
		return false;
	while (at < size) {
		ssize_t n = pread(fd, chunk, CHUNK, (off_t)at);

		if (n <= 0)
			return false;
		XXH3_64bits_update(&state, chunk, (size_t)n);
		at += (uint64_t)n;
	}
	return at == size && XXH3_64bits_digest(&state) == expected;
}

/* The time of last change serves as time of last use, kept roughly: pruning goes by it. */
static void mark_used(int fd, const struct stat *st)
{
	if (time(NULL) - st->st_mtime > USED_AFTER)
		futimens(fd, NULL);
}

bool store_check(const struct store *store, const char *name, struct code_header *header)
{
	cleanup_close int fd = openat(store->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ||
		pread(fd, header, sizeof(*header), 0) != sizeof(*header) ||
		!header_valid(header, name, (uint64_t)st.st_size) ||
		!checksum_matches(fd, header->file_size, header->checksum))
		return false;
	mark_used(fd, &st);
	return true;
}

bool store_put(struct store *store, const uint8_t digest[STORE_DIGEST], uint8_t *image, size_t size)
{
	struct code_header *header = (struct code_header *)image;
	char name[STORE_NAME], temporary[STORE_NAME];
	cleanup_close int fd = -1;
	uint64_t unique;

	memcpy(header->source_digest, digest, STORE_DIGEST);
	header->checksum = XXH3_64bits(image + CODE_PAGE, size - CODE_PAGE);
	store_name(name, digest);
	if (getrandom(&unique, sizeof(unique), GRND_NONBLOCK) != sizeof(unique))
		return false;
	snprintf(temporary, sizeof(temporary), PRUNE_TEMPORARY "%016llx",
		(unsigned long long)unique);
	fd = openat(
		store->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	if (fd < 0)
		return false;
	if (!write_all(fd, image, size) && !fchmod(fd, FILE_MODE) &&
		!renameat(store->directory, temporary, store->directory, name)) {
		store->written = true;
		return true;
	}
	unlinkat(store->directory, temporary, 0);
	return false;
}
