/*
 * Two texts as sequences of lines: equal lines have the same number. What is equal at both ends is
 * left out, but for some lines of context, so that large texts that differ in little are little
 * work.
 */
#ifndef STET_DIFF_LINES_H
#define STET_DIFF_LINES_H

#include "diff/compare.h"

#define LINES_CONTEXT 3

struct side {
	const struct blob *text;
	uint64_t *starts; /* of lines, and the end of the last */
	uint32_t *ids;
	uint64_t count;	      /* of lines that are compared */
	uint64_t lines;	      /* of all */
	bool ends_in_newline; /* or is empty */
};

struct lines {
	struct side a, b;
	uint64_t before; /* lines at the start that are left out */
	uint32_t ids;	 /* how many different ones there are */
	bool strip;	 /* carriage returns at the ends of lines count for nothing */
};

/* -1 without memory; 1 when there are too many lines for what is allowed. */
int lines_split(struct lines *lines, const struct pair *pair, bool strip, uint64_t most_memory);
void lines_release(struct lines *lines);

/* A line of those compared, without its end. */
struct blob lines_at(const struct lines *lines, const struct side *side, uint64_t index);

#endif
