#include "code/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "code/elf_file.h"

#define RACY_SECONDS 2
#define BUILD_ID     20
#define PLAIN	     "plain"

/* The note that holds a build ID of 20 bytes: sizes of name and content, type, name. */
static const uint8_t build_id_note[] = { 4, 0, 0, 0, BUILD_ID, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U',
	0 };

/* Adds the build ID to the identity's text; linkers place it in the first page. */
static bool append_build_id(int fd, char *text, size_t room)
{
	uint8_t page[CODE_PAGE], *note;
	ssize_t n = pread(fd, page, sizeof(page), 0);
	size_t length = strlen(text);

	note = n > 0 ? memmem(page, (size_t)n, build_id_note, sizeof(build_id_note)) : NULL;
	if (!note || note + sizeof(build_id_note) + BUILD_ID > page + n ||
		room - length < 2 + 2 * BUILD_ID)
		return false;
	text[length++] = '-';
	for (unsigned i = 0; i < BUILD_ID; i++)
		sprintf(text + length + 2 * i, "%02x", note[sizeof(build_id_note) + i]);
	return true;
}

static bool racy(const struct statx *stx)
{
	return stx->stx_ctime.tv_sec + RACY_SECONDS >= time(NULL);
}

struct known_identity known_identify(int fd)
{
	const unsigned needed = STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME;
	struct known_identity identity = { "" };
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, needed | STATX_BTIME, &stx) ||
		(stx.stx_mask & needed) != needed || racy(&stx))
		return identity;
	if (!(stx.stx_mask & STATX_BTIME))
		stx.stx_btime = (struct statx_timestamp){ 0 };
	snprintf(identity.text, sizeof(identity.text), "%u-%llx-%llx-%llx.%x-%llx.%x-%llx.%x",
		CODE_FORMAT, (unsigned long long)stx.stx_ino, (unsigned long long)stx.stx_size,
		(unsigned long long)stx.stx_mtime.tv_sec, stx.stx_mtime.tv_nsec,
		(unsigned long long)stx.stx_ctime.tv_sec, stx.stx_ctime.tv_nsec,
		(unsigned long long)stx.stx_btime.tv_sec, stx.stx_btime.tv_nsec);
	if (stx.stx_ctime.tv_nsec == 0 &&
		!append_build_id(fd, identity.text, sizeof(identity.text)))
		identity.text[0] = 0;
	return identity;
}

enum known known_find(
	const struct store *store, const struct known_identity *identity, char name[STORE_NAME])
{
	char target[STORE_NAME];
	ssize_t n;

	if (!identity->text[0])
		return KNOWN_NOT;
	n = readlinkat(store->identities, identity->text, target, sizeof(target));
	if (n <= 0 || n >= STORE_NAME || memchr(target, '/', (size_t)n))
		return KNOWN_NOT;
	memcpy(name, target, (size_t)n);
	name[n] = 0;
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
