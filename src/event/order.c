#include "event/order.h"

#include <stdlib.h>

static uint64_t seq_at(const struct order *order, size_t i)
{
	return order->heap[i]->event.seq;
}

static void swap(struct order *order, size_t a, size_t b)
{
	struct pending *moved = order->heap[a];

	order->heap[a] = order->heap[b];
	order->heap[b] = moved;
}

static bool make_room(struct order *order)
{
	size_t room = order->room ? 2 * order->room : 256;
	struct pending **heap;

	if (order->count < order->room)
		return true;
	heap = reallocarray(order->heap, room, sizeof(*heap));
	if (!heap)
		return false;
	order->heap = heap;
	order->room = room;
	return true;
}

bool order_put(struct order *order, const struct event *event, const struct line_task *task)
{
	struct pending *pending;
	size_t i;

	if (!make_room(order))
		return false;
	pending = malloc(sizeof(*pending));
	if (!pending)
		return false;
	pending->event = *event;
	pending->task = *task;
	order->heap[order->count++] = pending;
	for (i = order->count - 1; i > 0 && seq_at(order, i) < seq_at(order, (i - 1) / 2);
		i = (i - 1) / 2)
		swap(order, i, (i - 1) / 2);
	return true;
}

static void sink(struct order *order)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < order->count && seq_at(order, child + 1) < seq_at(order, child))
			child++;
		if (child >= order->count || seq_at(order, i) <= seq_at(order, child))
			return;
		swap(order, i, child);
		i = child;
	}
}

struct pending *order_take(struct order *order, bool skip)
{
	struct pending *first;

	if (order->count == 0 || (!skip && seq_at(order, 0) > order->next))
		return NULL;
	first = order->heap[0];
	order->heap[0] = order->heap[--order->count];
	sink(order);
	if (first->event.seq >= order->next)
		order->next = first->event.seq + 1;
	return first;
}

void order_free(struct order *order)
{
	for (size_t i = 0; i < order->count; i++)
		free(order->heap[i]);
	free(order->heap);
	*order = (struct order){ 0 };
}
