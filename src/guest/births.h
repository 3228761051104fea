/*
 * What is done to several tasks at once is done to the older ones first: which slots they have is a
 * matter of when those of others came free. Uses the arena.
 */
#ifndef STET_GUEST_BIRTHS_H
#define STET_GUEST_BIRTHS_H

#include "guest/task.h"

#define BIRTHS_AT_ONCE 16

/* Is the task in this slot one of them? */
typedef bool births_filter(uint32_t index, const void *which);

/* A walk: all but the first two are 0 when it begins. */
struct births {
	births_filter *filter;
	const void *which;
	uint64_t last_birth;
	uint32_t last; /* the slot that came last, + 1 */
	uint32_t count, at;
	uint32_t found[BIRTHS_AT_ONCE];
};

/* The next one, or NO_TASK. It was asked for with others: the answer may be old. */
uint32_t births_next(struct births *walk);

#endif
