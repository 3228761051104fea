/*
 * A window on a text that somebody writes from its beginning: of all that is put, the part that was
 * asked for arrives in the program's memory, and the rest costs nothing but counting. So a text of
 * any length needs no memory of its own, and two looks at one state see the same bytes.
 */
#ifndef STET_GUEST_VIEW_H
#define STET_GUEST_VIEW_H

#include "guest/sys.h"

struct view {
	uint64_t at;	   /* length of the text so far */
	uint64_t from, to; /* the part that is wanted */
	uint64_t buffer;   /* where in the program's memory the next byte of it goes */
	uint64_t done;	   /* so many bytes have arrived there */
	bool fault;	   /* there was no memory for the rest */
	uint32_t used;	   /* of piece: on their way */
	char piece[512];
};

void view_open(struct view *view, uint64_t from, uint64_t buffer, uint64_t bytes);
/* Is there enough? What follows need not be written. */
bool view_full(const struct view *view);
void view_put(struct view *view, const char *text, size_t bytes);
void view_string(struct view *view, const char *text);
/* As printf, with %s, %c, %d, %u, %o and %x, their `l`, width, `-` and `0`. */
void view_print(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The last bytes go out; answers how many were delivered, or -EFAULT when none could be. */
long view_close(struct view *view);

#endif
