/*
 * Where in the arena's table of code slots the search for a file begins: host and guest must agree.
 * Freestanding.
 */
#ifndef STET_ARENA_IDENTITY_H
#define STET_ARENA_IDENTITY_H

#include <stdint.h>

#include "arena/layout.h"

static inline uint64_t identity_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) *
	       0x9e3779b97f4a7c15ull; /* 2^64 / golden ratio: spreads any pattern */
	return hash ^ hash >> 32;
}

static inline uint32_t identity_hash(const struct file_identity *identity)
{
	uint64_t hash = identity_mix(identity->device, identity->inode);

	hash = identity_mix(hash, identity->size);
	hash = identity_mix(hash, (uint64_t)identity->mtime_sec << 30 ^ identity->mtime_nsec);
	hash = identity_mix(hash, (uint64_t)identity->ctime_sec << 30 ^ identity->ctime_nsec);
	return (uint32_t)hash;
}

static inline int identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->mtime_sec == b->mtime_sec && a->ctime_sec == b->ctime_sec &&
	       a->mtime_nsec == b->mtime_nsec && a->ctime_nsec == b->ctime_nsec;
}

#endif
