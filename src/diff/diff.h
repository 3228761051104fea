/*
 * Compares two things as deep as they can be looked into: files, directories, archives, and what is
 * in them. Each object gets a level; the whole gets the lowest. Uses base and the libraries of the
 * formats; knows nothing of containers and command lines. Never prints, but for reports to where
 * they are wanted.
 */
#ifndef STET_DIFF_DIFF_H
#define STET_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "diff/node.h"

struct diff_options {
	enum level level; /* what differs less than this is equal: see diff_is_equal */
	const char *
		*ignored; /* patterns (fnmatch) of paths into the nest, or of their last names */
	size_t ignored_count;
	uint64_t memory;  /* bytes that may be unpacked and held at a time */
	unsigned depth;	  /* of nests */
	uint64_t members; /* of one directory or archive */
	bool times;	  /* those of files in directories are compared, too */
	/* Told how many bytes of files are compared, now and then; may be NULL. */
	void (*progress)(uint64_t done, uint64_t all);
};

#define DIFF_MEMORY  (8ull << 30)
#define DIFF_DEPTH   32
#define DIFF_MEMBERS 4000000

/* The result is to be freed by node_free; NULL with err when there is none. */
struct node *diff_paths(
	const char *a, const char *b, const struct diff_options *options, struct error *err);

/* Is it equal at this level: LEVEL_BITS, LEVEL_CONTENT or LEVEL_STRUCTURE? */
bool diff_is_equal(const struct node *result, enum level wanted);

#endif
