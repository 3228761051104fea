#include "code/resolve.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The plain functions rather than EVP: linked statically they are small, and need no setting up. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "base/cleanup.h"
#include "code/known.h"
#include "code/rewrite.h"

/* Spares reading files that are mapped as code but hold none of ours, such as archives of a JVM. */
static bool may_be_elf(int fd, struct stat *st)
{
	uint8_t magic[SELFMAG];

	return !fstat(fd, st) && S_ISREG(st->st_mode) && st->st_size >= (off_t)sizeof(Elf64_Ehdr) &&
	       (uint64_t)st->st_size <= RESOLVE_LIMIT && pread(fd, magic, SELFMAG, 0) == SELFMAG &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

/* Reads rather than maps: whoever holds the file may cut it short at any moment. */
static uint8_t *read_file(int fd, size_t size)
{
	uint8_t *bytes = malloc(size);
	size_t at = 0;

	while (bytes && at < size) {
		ssize_t n = pread(fd, bytes + at, size - at, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	if (at == size)
		return bytes;
	free(bytes);
	return NULL;
}

static bool put_rewritten(struct store *store, const uint8_t *bytes, size_t size,
	const uint8_t digest[STORE_DIGEST], struct code_header *header, bool *plain)
{
	struct rewrite rewrite;
	int rc = rewrite_elf(&rewrite, bytes, size);
	bool stored = rc > 0 && store_put(store, digest, rewrite.image, rewrite.size);

	*plain = rc == 0;
	if (stored)
		memcpy(header, rewrite.image, sizeof(*header));
	free(rewrite.image);
	return stored;
}

/* Looks the content up, and rewrites it when it is new. */
static bool resolve_content(struct store *store, const uint8_t *bytes, size_t size,
	char name[STORE_NAME], struct code_header *header, bool *plain)
{
	uint8_t digest[STORE_DIGEST];
	SHA256_CTX state;

	*plain = false;
	if (!SHA256_Init(&state) || !SHA256_Update(&state, bytes, size) ||
		!SHA256_Final(digest, &state))
		return false;
	store_name(name, digest);
	return store_check(store, name, header) ||
	       put_rewritten(store, bytes, size, digest, header, plain);
}

bool resolve(struct store *store, int fd, char name[STORE_NAME], struct code_header *header)
{
	struct known_identity before, after;
	cleanup_free uint8_t *bytes = NULL;
	bool found, plain;
	enum known known;
	struct stat st;

	if (store->directory < 0 || !may_be_elf(fd, &st))
		return false;
	before = known_identify(fd);
	known = known_find(store, &before, name);
	if (known == KNOWN_PLAIN)
		return false;
	if (known == KNOWN_CACHED && store_check(store, name, header))
		return true;
	bytes = read_file(fd, (size_t)st.st_size);
	if (!bytes)
		return false;
	found = resolve_content(store, bytes, (size_t)st.st_size, name, header, &plain);
	after = known_identify(fd);
	if ((found || plain) && !strcmp(before.text, after.text))
		known_add(store, &before, found ? name : NULL);
	return found;
}
