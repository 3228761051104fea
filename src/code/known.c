#include "code/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RACY_SECONDS 2
#define PLAIN	     "plain"

static bool indexable(const struct statx *stx)
{
	const unsigned needed = STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME | STATX_BTIME;

	return (stx->stx_mask & needed) == needed && stx->stx_ctime.tv_nsec != 0 &&
	       stx->stx_btime.tv_nsec != 0 && stx->stx_ctime.tv_sec + RACY_SECONDS < time(NULL);
}

struct known_identity known_identify(int fd)
{
	struct known_identity identity = { "" };
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &stx) || !indexable(&stx))
		return identity;
	snprintf(identity.text, sizeof(identity.text), "%u-%llx-%llx-%llx.%x-%llx.%x-%llx.%x",
		CODE_FORMAT, (unsigned long long)stx.stx_ino, (unsigned long long)stx.stx_size,
		(unsigned long long)stx.stx_mtime.tv_sec, stx.stx_mtime.tv_nsec,
		(unsigned long long)stx.stx_ctime.tv_sec, stx.stx_ctime.tv_nsec,
		(unsigned long long)stx.stx_btime.tv_sec, stx.stx_btime.tv_nsec);
	return identity;
}

enum known known_find(
	const struct store *store, const struct known_identity *identity, char name[STORE_NAME])
{
	ssize_t n;

	if (!identity->text[0])
		return KNOWN_NOT;
	n = readlinkat(store->identities, identity->text, name, STORE_NAME);
	if (n <= 0 || n >= STORE_NAME)
		return KNOWN_NOT;
	name[n] = 0;
	if (strchr(name, '/'))
		return KNOWN_NOT;
	return strcmp(name, PLAIN) ? KNOWN_CACHED : KNOWN_PLAIN;
}

void known_add(struct store *store, const struct known_identity *identity, const char *name)
{
	if (!identity->text[0])
		return;
	if (!name)
		name = PLAIN;
	if (!symlinkat(name, store->identities, identity->text))
		store->written = true;
	else if (errno == EEXIST && !unlinkat(store->identities, identity->text, 0))
		symlinkat(name, store->identities, identity->text);
}
