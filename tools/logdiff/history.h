/*
 * What is remembered of the events of one task in one log: the hash of all events up to some of
 * them, at even distances, in a bounded number of marks. Comparing the histories of two logs gives
 * the stretch in which they part; another pass over the logs with marks in that stretch alone
 * narrows it down to one event.
 */
#ifndef STET_LOGDIFF_HISTORY_H
#define STET_LOGDIFF_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTORY_MARKS 256 /* a power of two */

struct mark {
	uint64_t hash; /* of all events up to this one */
	uint64_t seq;  /* of this one */
};

struct history {
	uint64_t count, hash, last_seq;
	uint64_t start, stride; /* event start + (i + 1) * stride - 1 is marked by marks[i] */
	bool narrowed;		/* keep stride; else it doubles when the marks are full */
	size_t marked, room;
	struct mark *marks;
};

void history_init(struct history *history);

/* Forgets everything, to see the log again with marks from event `start` on. */
void history_restart(struct history *history, uint64_t start, uint64_t stride);

/* `hash` continues history->hash by the next event. */
void history_add(struct history *history, uint64_t hash, uint64_t seq);

void history_free(struct history *history);

enum history_verdict { HISTORY_SAME, HISTORY_FOUND, HISTORY_NARROWED };

/* FOUND: the event with index *at is the first that differs. NARROWED: it is one of the *stride *
 * HISTORY_MARKS events from *at on; restart both there and look again. */
enum history_verdict history_compare(
	const struct history *a, const struct history *b, uint64_t *at, uint64_t *stride);

#endif
