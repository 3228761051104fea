/*
 * How the number that programs see of an initial file follows from its name and its directory's
 * number: guest and host must agree. Freestanding.
 */
#ifndef STET_ARENA_NUMBERS_H
#define STET_ARENA_NUMBERS_H

#include "arena/identity.h"

#define NUMBER_BITS  52	  /* programs keep numbers in doubles, too */
#define NUMBER_FIRST 1024 /* below are those that mean something, as the root's */

static inline uint64_t number_finish(uint64_t hash)
{
	hash = identity_mix(identity_mix(hash, hash >> 17), NUMBER_BITS);
	hash >>= 64 - NUMBER_BITS;
	return hash < NUMBER_FIRST ? hash + NUMBER_FIRST : hash;
}

/* The text ends before `end`, or at its NUL. */
static inline uint64_t number_text(uint64_t hash, const char *text, char end)
{
	for (; *text && *text != end; text++)
		hash = identity_mix(hash, (uint8_t)*text);
	return hash;
}

static inline uint64_t number_below(uint64_t directory, const char *name, char end)
{
	return number_finish(number_text(directory, name, end));
}

/* Of an absolute path without symbolic links, "." and ".."; slashes may be doubled. */
static inline uint64_t number_path(const char *path)
{
	uint64_t number = ROOT_NUMBER;

	while (*path) {
		while (*path == '/')
			path++;
		if (*path)
			number = number_below(number, path, '/');
		while (*path && *path != '/')
			path++;
	}
	return number;
}

#endif
