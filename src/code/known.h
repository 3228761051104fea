/*
 * The index of files already looked at: from what statx(2) says of a file to the name of its cached
 * copy, or to the knowledge that there is nothing to rewrite in it. One symbolic link per file,
 * named by the identity and pointing to the answer: made atomically, read in one call, never
 * half-written.
 *
 * The device is not part of the identity, since each overlay mount shows the same lower file under
 * a device of its own. Inode, size, and times of modification, change and birth remain. The kernel
 * sets the time of change, to the nanosecond, whenever content may have changed, so two contents
 * never share an identity, with two exceptions. Images of file systems can be built with any times,
 * but those have whole seconds: there the build ID that linkers put into a file must be part of the
 * identity, and a file without one is not indexed. And two changes within one tick of the clock
 * look like one: a file that was changed less than two seconds ago is not indexed either.
 */
#ifndef STET_CODE_KNOWN_H
#define STET_CODE_KNOWN_H

#include "code/store.h"

struct known_identity {
	char text[192]; /* empty: this file cannot be indexed */
};

enum known { KNOWN_NOT, KNOWN_PLAIN, KNOWN_CACHED };

/* Takes the identity of an open file; take it before reading, and again behind. */
struct known_identity known_identify(int fd);

/* Looks a file up; fills in the name of its cached copy when the answer is KNOWN_CACHED. */
enum known known_find(
	const struct store *store, const struct known_identity *identity, char name[STORE_NAME]);

/* Remembers a file; name NULL: there is nothing to rewrite in it. */
void known_add(struct store *store, const struct known_identity *identity, const char *name);

#endif
