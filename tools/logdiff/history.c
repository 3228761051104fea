#include "logdiff/history.h"

#include <err.h>
#include <stdlib.h>

#define FNV_BASIS 0xcbf29ce484222325ull
#define TROUBLE	  125

void history_init(struct history *history)
{
	*history = (struct history){ .hash = FNV_BASIS, .stride = 1 };
}

void history_restart(struct history *history, uint64_t start, uint64_t stride)
{
	history->count = history->last_seq = history->marked = 0;
	history->hash = FNV_BASIS;
	history->start = start;
	history->stride = stride;
	history->narrowed = true;
}

static void push_mark(struct history *history, struct mark mark)
{
	if (history->marked == history->room) {
		history->room = history->room ? 2 * history->room : 8;
		history->marks =
			reallocarray(history->marks, history->room, sizeof(*history->marks));
		if (!history->marks)
			err(TROUBLE, "cannot remember more events");
	}
	history->marks[history->marked++] = mark;
}

/* Keeps every second mark. */
static void thin(struct history *history)
{
	history->marked /= 2;
	history->stride *= 2;
	for (size_t i = 0; i < history->marked; i++)
		history->marks[i] = history->marks[2 * i + 1];
}

void history_add(struct history *history, uint64_t hash, uint64_t seq)
{
	history->count++;
	history->hash = hash;
	history->last_seq = seq;
	if (history->count <= history->start ||
		(history->count - history->start) % history->stride != 0)
		return;
	if (history->marked == HISTORY_MARKS) {
		if (history->narrowed)
			return;
		thin(history);
		if ((history->count - history->start) % history->stride != 0)
			return;
	}
	push_mark(history, (struct mark){ hash, seq });
}

void history_free(struct history *history)
{
	free(history->marks);
	history->marks = NULL;
	history->room = history->marked = 0;
}

/* Which of the history's marks lies at the end of stretch i of the given stride; NULL when none. */
static const struct mark *mark_of(const struct history *history, uint64_t i, uint64_t stride)
{
	uint64_t index = (i + 1) * (stride / history->stride) - 1;

	return index < history->marked ? &history->marks[index] : NULL;
}

enum history_verdict history_compare(
	const struct history *a, const struct history *b, uint64_t *at, uint64_t *stride)
{
	uint64_t widest = a->stride > b->stride ? a->stride : b->stride;

	if (a->count == b->count && a->hash == b->hash)
		return HISTORY_SAME;
	for (uint64_t i = 0;; i++) {
		const struct mark *left = mark_of(a, i, widest), *right = mark_of(b, i, widest);

		if (left && right && left->hash == right->hash)
			continue;
		*at = a->start + i * widest;
		*stride = widest > HISTORY_MARKS ? widest / HISTORY_MARKS : 1;
		return widest == 1 ? HISTORY_FOUND : HISTORY_NARROWED;
	}
}
