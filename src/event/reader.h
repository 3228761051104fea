/*
 * The supervisor's end of the event rings: a thread that takes events out of them while the
 * container runs, and writes a line each, in the order of their numbers. Everything in the arena
 * was written by the container: an event is copied before it is looked at, and every index is
 * bounded. Uses arena and base.
 */
#ifndef STET_EVENT_READER_H
#define STET_EVENT_READER_H

#include <stdio.h>

#include "arena/layout.h"
#include "base/error.h"

struct event_reader;

/*
 * Starts the thread; call it before the container runs. `arena` is the mapping of arena_fd's first
 * ARENA_BYTES. Both, and `log`, stay the caller's, and in use until event_reader_stop. The file
 * behind arena_fd must be sealed against shrinking. NULL with err when it cannot start.
 */
struct event_reader *event_reader_start(
	struct arena *arena, int arena_fd, FILE *log, struct error *err);

/* Writes all that is left, ends the thread, and frees the reader; NULL is fine. Call it when the
 * container has ended. Whether everything could be written is to be asked of `log` (ferror). */
void event_reader_stop(struct event_reader *reader);

#endif
