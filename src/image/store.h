/*
 * The cache of unpacked images, below $XDG_CACHE_HOME/stet/images, mode 0700:
 *
 *   HEX/            an entry, named by the digest of its tar or OCI manifest:
 *     root/         its files
 *     owners        who they belong to (owners.h), unless they have their owners
 *     info          what is known of it (info.h)
 *     lock          held shared by who uses it; its time is that of the last use
 *   tmp.PID-RANDOM/ an entry in the making, or on its way out; its lock is held by who does it
 *   sources/KEY     the entry that a file of the host was unpacked to (sources.h)
 *   refs/NAME       the entry that people call NAME (refs.h)
 *   claims/KEY      held by who makes an entry, while others wait for it
 *   lock            held by who makes or removes names
 *
 * An entry gets its name when it is complete, so that one that is there can be trusted. What a
 * killed process left is removed by the next one. Whether all of it reached the disk is not waited
 * for: after a restart of the machine an entry is held against its digest before its first use, or
 * made again when it has none: it takes a while to make one, and most runs do not need it.
 */
#ifndef STET_IMAGE_STORE_H
#define STET_IMAGE_STORE_H

#include "image/info.h"

#define STORE_DIR_MODE 0700

struct image_store {
	int dir;
	char *path; /* absolute, without symbolic links */
};

/* Makes what is missing, and removes what killed processes left. */
int image_store_open(struct image_store *store, const char *path, struct error *err);
void image_store_close(struct image_store *store);

/* Keeps others from making the same entry; waits for who does. To be given to store_unclaim. */
int image_store_claim(const struct image_store *store, const char *key, struct error *err);
void image_store_unclaim(const struct image_store *store, const char *key, int claim);

/* Held by who makes or removes names in the cache; to be closed. */
int image_store_lock(const struct image_store *store, struct error *err);
/* The same for who can do without: -1 when another one has it. */
int image_store_try_lock(const struct image_store *store);
/* Does the descriptor show what has the name, still? */
bool image_store_has(int dir, const char *name, int fd);

/* An entry in the making. */
#define DRAFT_NAME 64
struct image_draft {
	char name[DRAFT_NAME];
	int dir, root, lock;
};

#define IMAGE_DRAFT_NONE                                                                           \
	{                                                                                          \
		.dir = -1, .root = -1, .lock = -1                                                  \
	}
int image_draft_begin(
	const struct image_store *store, struct image_draft *draft, struct error *err);
/* Gives it its name; when another process was faster, that one's stays. */
int image_draft_keep(const struct image_store *store, struct image_draft *draft, const char *entry,
	struct error *err);
/* Removes it, unless it was kept. */
void image_draft_drop(const struct image_store *store, struct image_draft *draft);

/* Opens an entry for use: 1 with a shared lock, 0 when there is none, -1 on errors. */
int image_entry_use(const struct image_store *store, const char *entry, struct image_info *info,
	int *lock, struct error *err);

/* Notes that the files are known to be whole as long as this kernel runs. */
int image_entry_stamp(struct image_info *info, struct error *err);
/* The digest of the files of an entry as they are now. */
int image_entry_digest(int dir, char digest[HASH_TEXT], struct error *err);
/* Keeps it with an entry that is in use; does nothing when it cannot. */
void image_entry_note(const char *root, const char *digest);

/* Only a glance: it may be otherwise by now. */
bool image_entry_in_use(const struct image_store *store, const char *entry);
enum removal { REMOVED, REMOVAL_IN_USE, REMOVAL_GONE };
/* Removes an entry, unless it is in use. */
enum removal image_entry_remove(const struct image_store *store, const char *entry);

/* The entries of the cache as they are, in use or not; those that cannot be trusted are left out. */
struct image_entry {
	struct image_info info;
	int64_t used; /* seconds since 1970 */
};
struct image_listing {
	struct image_entry *list; /* the newest first */
	size_t count;
};
/* Removes what is of no use: damaged entries, files of the host whose entries are gone, claims. */
void image_store_tidy(const struct image_store *store);
int image_store_list(
	const struct image_store *store, struct image_listing *listing, struct error *err);
void image_listing_release(struct image_listing *listing);

#endif
