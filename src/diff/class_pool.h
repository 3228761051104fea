/* The constant pool of a Java class: constants as text, which does not depend on their order. */
#ifndef STET_DIFF_CLASS_POOL_H
#define STET_DIFF_CLASS_POOL_H

#include <stdio.h>

#include "diff/blob.h"

/* Reads on, in big-endian numbers; beyond the end, everything is 0 and `bad` is set. */
struct class_cursor {
	const struct blob *blob;
	uint64_t at, end;
	bool bad;
};

uint64_t class_take(struct class_cursor *cursor, unsigned bytes);
/* The next bytes as a cursor of their own. */
struct class_cursor class_take_part(struct class_cursor *cursor, uint64_t bytes);

struct class_pool {
	const struct blob *blob;
	uint32_t *places; /* of each constant's tag; 0: none has this number */
	unsigned count;
};

/* -1 without memory; a damaged one sets the cursor's `bad`. */
int class_pool_read(struct class_pool *pool, struct class_cursor *cursor);
void class_pool_release(struct class_pool *pool);

/* Writes a constant; long ones as their start and a hash. */
void class_pool_put(const struct class_pool *pool, FILE *out, uint64_t index);
/* The same as text, to be freed; NULL without memory. */
char *class_pool_text(const struct class_pool *pool, uint64_t index);
bool class_pool_is(const struct class_pool *pool, uint64_t index, const char *text);

#endif
