#include "guest/socket_messages.h"

int64_t parts_bytes(uint64_t parts, uint64_t count)
{
	struct part part;
	uint64_t sum = 0;

	if (count > PARTS_MAX)
		return -1;
	for (uint64_t i = 0; i < count; i++) {
		if (copy_in(&part, parts + i * sizeof(part), sizeof(part)) ||
			part.bytes > INT64_MAX - sum)
			return -1;
		sum += part.bytes;
	}
	return (int64_t)sum;
}

void window_fill(
	struct window *window, uint64_t parts, uint64_t count, uint64_t skip, uint64_t limit)
{
	struct part part;

	window->count = 0;
	for (uint64_t i = 0; i < count && limit && window->count < WINDOW_PARTS; i++) {
		if (copy_in(&part, parts + i * sizeof(part), sizeof(part)))
			return;
		if (skip >= part.bytes) {
			skip -= part.bytes;
			continue;
		}
		part = (struct part){ part.base + skip, part.bytes - skip };
		if (part.bytes > limit)
			part.bytes = limit;
		skip = 0;
		limit -= part.bytes;
		window->parts[window->count++] = part;
	}
}
