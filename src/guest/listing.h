/*
 * Listings: what a directory held when the program began to read it, whole and in order of names.
 * The position in it is the offset of the open directory itself, kept by the kernel, so that copies
 * of the descriptor, children and further programs go on where the last reader stopped; a process
 * that has no listing at hand makes a new one. Each lies in memory of the guest until the
 * descriptor is closed.
 */
#ifndef STET_GUEST_LISTING_H
#define STET_GUEST_LISTING_H

#include "guest/sys.h"

/* As getdents64 has it. */
struct listed {
	uint64_t inode;
	int64_t next; /* position behind this entry */
	uint16_t length;
	uint8_t type;
	char name[];
};

/* An entry's place in the order: by key, and by the rest of the name where keys are equal. */
struct listing_place {
	uint64_t key;
	uint32_t at, pad;
};

struct listing {
	uint32_t state, count; /* of entries */
	uint64_t owner;	       /* whose descriptor, and which */
	uint64_t mapped;       /* bytes of memory */
	uint64_t bytes;	       /* of entries */
	char *memory;
	struct listing_place *places; /* behind the entries, sorted */
};

/* The listing of this descriptor, for this thread alone until listing_put; NULL when there is
 * none. */
struct listing *listing_take(struct thread *self, uint64_t fd);
/* One to be filled. NULL when there is no room. */
struct listing *listing_new(struct thread *self, uint64_t fd);
/* Reads the directory from its offset on, which is 0: 0 or -errno. */
long listing_read(struct listing *listing, uint64_t fd);
/* Puts the entries in order; names that are numbers in that of the numbers, if so wished: 0 or
 * -errno. */
long listing_sort(struct listing *listing, bool numbers);
static inline struct listed *listing_entry(const struct listing *listing, uint64_t position)
{
	return (struct listed *)(listing->memory + listing->places[position].at);
}
/* Turns the order round, apart from the first two, which are . and .. */
void listing_turn(struct listing *listing);
/* Back, for the next call; or, if not `good`, for others. */
void listing_put(struct listing *listing, bool good);
/* The thread's descriptors from first to last are closed, or lead elsewhere. */
void listing_forget(uint64_t first, uint64_t last);

#endif
