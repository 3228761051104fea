/*
 * Bytes that a thread of its own makes ahead while the caller uses them, part by part: like the pipe
 * between two programs, but without a copy.
 */
#ifndef STET_IMAGE_PARTS_H
#define STET_IMAGE_PARTS_H

#include <sys/types.h>

#define PART_SIZE (256u << 10) /* what was just made is still in the CPU's cache when it is used */

struct parts;

/* Makes them all, in the thread: asks for room, fills it, gives it away; ends when there is no more
 * to make, or no room since no more is wanted. What it wrote elsewhere can be seen by who has been
 * told of the end. */
typedef void parts_maker(struct parts *parts, void *context);

/* NULL with errno. */
struct parts *parts_start(parts_maker *make, void *context);
/* For the maker: PART_SIZE bytes, or NULL. */
unsigned char *parts_room(struct parts *parts);
void parts_give(struct parts *parts, size_t bytes);
/* For the caller: the next part, valid until the next call; 0 bytes at the end. */
size_t parts_next(struct parts *parts, const void **data);
/* Ends the thread, wherever it is. */
void parts_end(struct parts *parts);
void parts_free(struct parts *parts);

#endif
