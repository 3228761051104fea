#include "diff/lines.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "diff/resync.h"

/* Slots of the table of different lines: one of them, counted from 1, and some bits of its hash. */
struct slot {
	uint32_t line, tag;
};

static uint64_t count_newlines(const unsigned char *data, uint64_t size)
{
	const unsigned char *end = data + size;
	uint64_t count = 0;

	while (data < end && (data = memchr(data, '\n', (size_t)(end - data)))) {
		count++;
		data++;
	}
	return count;
}

/* The start of the line that `at` is in, or of one some lines before. */
static uint64_t back_to_line(const unsigned char *data, uint64_t at, unsigned lines)
{
	for (;; lines--) {
		const unsigned char *newline = at ? memrchr(data, '\n', at) : NULL;

		at = newline ? (uint64_t)(newline - data) : 0;
		if (!lines || !newline)
			return newline ? at + 1 : 0;
	}
}

/* The end of the line that `at` is in, or of one some lines behind. */
static uint64_t on_to_line(const struct blob *text, uint64_t at, unsigned lines)
{
	for (;; lines--) {
		const unsigned char *newline = memchr(text->data + at, '\n', text->size - at);

		if (!newline)
			return text->size;
		at = (uint64_t)(newline - text->data) + 1;
		if (!lines)
			return at;
	}
}

/* Where the compared parts start and end: they are equal before, and behind. */
struct region {
	uint64_t start, a_end, b_end;
};

static struct region find_region(const struct pair *pair)
{
	const struct blob *a = &pair->a, *b = &pair->b;
	uint64_t least = a->size < b->size ? a->size : b->size;
	uint64_t prefix = common_prefix(a->data, b->data, least);
	uint64_t suffix = common_suffix(a->data + a->size, b->data + b->size, least - prefix);
	struct region region = { .start = back_to_line(a->data, prefix, LINES_CONTEXT) };

	/* At least one line that is behind the difference is wholly equal. */
	region.a_end = on_to_line(a, a->size - suffix, LINES_CONTEXT);
	region.b_end = b->size - (a->size - region.a_end);
	return region;
}

static uint64_t count_lines(const unsigned char *data, uint64_t size)
{
	return count_newlines(data, size) + (size && data[size - 1] != '\n');
}

static int split_side(struct side *side, const struct blob *text, uint64_t start, uint64_t end)
{
	uint64_t at = start;

	side->text = text;
	side->ends_in_newline = !text->size || text->data[text->size - 1] == '\n';
	side->starts = malloc((side->count + 1) * sizeof(*side->starts));
	side->ids = malloc((side->count + 1) * sizeof(*side->ids));
	if (!side->starts || !side->ids)
		return -1;
	for (uint64_t i = 0; i < side->count; i++) {
		side->starts[i] = at;
		at = on_to_line(text, at, 0);
	}
	side->starts[side->count] = end;
	return 0;
}

struct blob lines_at(const struct lines *lines, const struct side *side, uint64_t index)
{
	uint64_t start = side->starts[index], end = side->starts[index + 1];

	if (end > start && side->text->data[end - 1] == '\n')
		end--;
	if (lines->strip && end > start && side->text->data[end - 1] == '\r')
		end--;
	return blob_part(side->text, start, end - start, NULL);
}

static struct blob line_of_number(const struct lines *lines, uint64_t number)
{
	return number < lines->a.count ? lines_at(lines, &lines->a, number)
				       : lines_at(lines, &lines->b, number - lines->a.count);
}

static uint32_t id_of_number(const struct lines *lines, uint64_t number)
{
	return number < lines->a.count ? lines->a.ids[number]
				       : lines->b.ids[number - lines->a.count];
}

static uint32_t find_id(struct lines *lines, struct slot *slots, uint64_t mask, uint64_t number)
{
	struct blob line = line_of_number(lines, number);
	uint64_t hash = XXH3_64bits(line.data, line.size), at = hash & mask;
	uint32_t tag = (uint32_t)(hash >> 32);

	for (; slots[at].line; at = (at + 1) & mask) {
		struct blob other;

		if (slots[at].tag != tag)
			continue;
		other = line_of_number(lines, slots[at].line - 1);
		if (blob_equal(&line, &other))
			return id_of_number(lines, slots[at].line - 1);
	}
	slots[at] = (struct slot){ (uint32_t)number + 1, tag };
	return lines->ids++;
}

static uint64_t slots_for(uint64_t lines)
{
	uint64_t slots = 16;

	while (slots < lines + lines / 2)
		slots *= 2;
	return slots;
}

static int number_lines(struct lines *lines)
{
	uint64_t all = lines->a.count + lines->b.count, room = slots_for(all);
	struct slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -1;
	for (uint64_t i = 0; i < lines->a.count; i++)
		lines->a.ids[i] = find_id(lines, slots, room - 1, i);
	for (uint64_t i = 0; i < lines->b.count; i++)
		lines->b.ids[i] = find_id(lines, slots, room - 1, lines->a.count + i);
	free(slots);
	return 0;
}

int lines_split(struct lines *lines, const struct pair *pair, bool strip, uint64_t most_memory)
{
	const struct blob *a = &pair->a, *b = &pair->b;
	struct region region = strip ? (struct region){ 0, a->size, b->size } : find_region(pair);
	uint64_t all, behind;

	*lines = (struct lines){ .strip = strip };
	lines->before = count_newlines(a->data, region.start);
	lines->a.count = count_lines(a->data + region.start, region.a_end - region.start);
	lines->b.count = count_lines(b->data + region.start, region.b_end - region.start);
	behind = count_lines(a->data + region.a_end, a->size - region.a_end);
	lines->a.lines = lines->before + lines->a.count + behind;
	lines->b.lines = lines->before + lines->b.count + behind;
	all = lines->a.count + lines->b.count;
	if (all >= UINT32_MAX || all > most_memory / (sizeof(uint64_t) + sizeof(uint32_t)) ||
		all * (sizeof(uint64_t) + sizeof(uint32_t)) + slots_for(all) * sizeof(struct slot) >
			most_memory)
		return 1;
	if (split_side(&lines->a, a, region.start, region.a_end) ||
		split_side(&lines->b, b, region.start, region.b_end) || number_lines(lines))
		return -1;
	return 0;
}

void lines_release(struct lines *lines)
{
	free(lines->a.starts);
	free(lines->a.ids);
	free(lines->b.starts);
	free(lines->b.ids);
	*lines = (struct lines){ 0 };
}
