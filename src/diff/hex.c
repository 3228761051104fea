#include "diff/hex.h"

#include <stdlib.h>

#define ROW	    16
#define ROWS_A_SIDE 4  /* of one change */
#define ROWS_MOST   64 /* of all */

void hex_row(FILE *out, char sign, const struct blob *blob, uint64_t at)
{
	uint64_t count = at < blob->size ? blob->size - at : 0;

	fprintf(out, "%c%08llx ", sign, (unsigned long long)at);
	for (uint64_t i = 0; i < ROW; i++) {
		if (i < count)
			fprintf(out, "%s%02x", i % 8 ? " " : "  ", blob->data[at + i]);
		else
			fputs(i % 8 ? "   " : "    ", out);
	}
	fputs("  |", out);
	for (uint64_t i = 0; i < ROW && i < count; i++) {
		unsigned char byte = blob->data[at + i];

		fputc(byte >= ' ' && byte < 0x7f ? byte : '.', out);
	}
	fputs("|\n", out);
}

/* Rows from `at` to at least behind it, and to `end`. Returns how many. */
static unsigned show_side(
	FILE *out, char sign, const struct blob *blob, uint64_t at, uint64_t end, uint64_t *shown)
{
	unsigned rows = 0;

	do {
		hex_row(out, sign, blob, at);
		at += ROW;
		rows++;
	} while (at < end && at < blob->size && rows < ROWS_A_SIDE);
	if (at < end)
		fprintf(out, " ... %llu more bytes\n", (unsigned long long)(end - at));
	*shown = at < end ? end : at;
	return rows;
}

static uint64_t larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* Rows start at multiples of 16 in A, and in B with the same bytes, where nothing is before it. */
static unsigned show_change(FILE *out, const struct pair *pair, const struct change *change,
	uint64_t *a_shown, uint64_t *b_shown)
{
	uint64_t before = change->a % ROW, a_end = change->a + change->a_count,
		 b_end = change->b + change->b_count;
	uint64_t a = change->a - before, b = change->b < before ? 0 : change->b - before;
	unsigned rows;

	/* All of it stands in the rows of the change before. */
	if (*a_shown && a_end <= *a_shown && b_end <= *b_shown)
		return 0;
	if (larger(a, *a_shown) - a == larger(b, *b_shown) - b) {
		a = larger(a, *a_shown);
		b = larger(b, *b_shown);
	}
	rows = show_side(out, '-', &pair->a, a, a_end, a_shown);
	return rows + show_side(out, '+', &pair->b, b, b_end, b_shown);
}

char *hex_excerpt(const struct pair *pair, const struct changes *changes)
{
	uint64_t a_shown = 0, b_shown = 0;
	char *text = NULL;
	size_t bytes, i;
	FILE *out = open_memstream(&text, &bytes);
	unsigned rows = 0;

	if (!out)
		return NULL;
	for (i = 0; i < changes->count && rows < ROWS_MOST; i++)
		rows += show_change(out, pair, &changes->list[i], &a_shown, &b_shown);
	if (i < changes->count)
		fprintf(out, " ... %zu more places\n", changes->count - i);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
