/* Where two sequences, of bytes or of lines, differ: pieces of A with what stands for them in B. */
#ifndef STET_DIFF_CHANGES_H
#define STET_DIFF_CHANGES_H

#include <stddef.h>
#include <stdint.h>

struct change {
	uint64_t a, a_count; /* where, and how many */
	uint64_t b, b_count;
};

/* Zeroed at first; in ascending order, with something equal between each two. */
struct changes {
	struct change *list;
	size_t count, room;
};

/* Adds one at the end; -1 without memory. */
int changes_add(struct changes *changes, const struct change *change);
void changes_release(struct changes *changes);

#endif
