/*
 * Puts events of many tasks into the order of their numbers: a bounded heap of events that wait for
 * those before them. Uses line.h's tasks.
 */
#ifndef STET_EVENT_ORDER_H
#define STET_EVENT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/line.h"

struct pending {
	struct event event;
	struct line_task task;
};

struct order {
	struct pending **heap; /* the smallest number is at 0 */
	size_t count, room;
	uint64_t next; /* the number that is due */
};

/* How many events may wait, so that a container cannot fill the supervisor's memory. */
#define ORDER_LIMIT 65536

static inline bool order_is_full(const struct order *order)
{
	return order->count >= ORDER_LIMIT;
}

/* Keeps a copy; false when there is no memory for it. */
bool order_put(struct order *order, const struct event *event, const struct line_task *task);

/* The event that is due; with `skip` the first one, although others are missing before it. The
 * caller frees it. NULL when there is none. */
struct pending *order_take(struct order *order, bool skip);

void order_free(struct order *order);

#endif
