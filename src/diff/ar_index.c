#include "diff/ar_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/elf_lines.h"
#include "diff/printable.h"

static unsigned word_of(const struct blob *blob)
{
	return strcmp(blob->name, "/SYM64/") == 0 ? 8 : 4;
}

bool ar_index_is(const struct blob *blob)
{
	return blob->name && (strcmp(blob->name, "/") == 0 || strcmp(blob->name, "/SYM64/") == 0);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* The places of members that have symbols, each once, in order. */
static uint64_t *list_members(const struct blob *index, uint64_t symbols, size_t *count)
{
	unsigned word = word_of(index);
	uint64_t *places = calloc(symbols + 1, sizeof(*places));

	*count = 0;
	if (!places)
		return NULL;
	for (uint64_t i = 0; i < symbols; i++)
		places[i] = blob_be(index, (i + 1) * word, word);
	qsort(places, symbols, sizeof(*places), by_value);
	for (uint64_t i = 0; i < symbols; i++)
		if (!*count || places[*count - 1] != places[i])
			places[(*count)++] = places[i];
	return places;
}

/* A symbol a line, with the number of its member: its place follows from the sizes of others. */
static bool put_symbols(const struct blob *index, uint64_t symbols, FILE *out)
{
	unsigned word = word_of(index);
	size_t count;
	cleanup_free uint64_t *members = list_members(index, symbols, &count);
	uint64_t at = (symbols + 1) * word;

	for (uint64_t i = 0; members && i < symbols; i++) {
		uint64_t place = blob_be(index, (i + 1) * word, word);
		const uint64_t *member = bsearch(&place, members, count, sizeof(place), by_value);
		const char *name = elf_string(index, at);

		if (!name || !member)
			return false;
		printable_put(out, name, strlen(name));
		fprintf(out, " in member %zu\n", (size_t)(member - members) + 1);
		at += strlen(name) + 1;
	}
	return members != NULL;
}

static bool lines_of_index(const struct elf_part *part, FILE *out)
{
	unsigned word = word_of(&part->bytes);
	uint64_t symbols = blob_be(&part->bytes, 0, word);

	return part->bytes.size >= word && symbols <= (part->bytes.size - word) / word &&
	       put_symbols(&part->bytes, symbols, out);
}

enum compared ar_index_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	const struct elf_part parts[2] = { { .bytes = pair->a }, { .bytes = pair->b } };

	return elf_lines_compare(diff, node, parts, lines_of_index,
		"the same symbols of the same members, which are at other places", err);
}
