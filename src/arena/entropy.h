/*
 * How recorded randomness travels between guests and the host's side: --entropy record and replay.
 * Each task's bytes are kept under its place in the tree and the number of programs that it has
 * run. Freestanding.
 */
#ifndef STET_ARENA_ENTROPY_H
#define STET_ARENA_ENTROPY_H

#include <stdint.h>

#include "arena/layout.h"

#define ENTROPY_CHUNK 1024 /* most bytes in one message */

/* To the supervisor, one message each: what a task took. Shortened to the bytes that it holds. */
struct entropy_taken {
	uint64_t place;
	uint64_t offset; /* how many the task has taken before */
	uint32_t execs;
	uint32_t bytes;
	char name[72]; /* of struct task: for people */
	uint8_t data[ENTROPY_CHUNK];
};

/*
 * What is there to replay, in a sealed file: a header, entries sorted by place and execs, and the
 * bytes that they point at.
 */
struct entropy_header {
	uint64_t entries;
};

struct entropy_entry {
	uint64_t place, execs;
	uint64_t offset, bytes; /* in the file */
};

#endif
