#include "diff/dwarf_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/printable.h"

#define SHOWN_MOST 300 /* characters of one text: some producers tell all options */

static bool is_in(const struct blob *strings, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	return !strings || (at >= strings->data && at < strings->data + strings->size);
}

void dwarf_facts_add(struct dwarf_facts *facts, const struct dwarf_unit *a,
	const struct dwarf_unit *b, const struct blob *strings)
{
	const char *const texts[DWARF_FACTS][2] = {
		[DWARF_NAME] = { a->name, b->name },
		[DWARF_DIRECTORY] = { a->directory, b->directory },
		[DWARF_PRODUCER] = { a->producer, b->producer },
	};

	for (int i = 0; i < DWARF_FACTS; i++) {
		const char *one = texts[i][0] ? texts[i][0] : "none";
		const char *other = texts[i][1] ? texts[i][1] : "none";

		if (strcmp(one, other) == 0 || !is_in(strings, one) || facts->list[i].count++)
			continue;
		facts->list[i].unit = a->name ? a->name : "none";
		facts->list[i].a = one;
		facts->list[i].b = other;
	}
}

/* To be freed. Both texts from shortly before they part. */
static char *shown(const char *text, size_t same)
{
	char *result = NULL;
	size_t size, skipped = same > SHOWN_MOST / 2 ? same - SHOWN_MOST / 2 : 0;
	FILE *out = open_memstream(&result, &size);

	if (!out)
		return NULL;
	fputs(skipped ? "..." : "", out);
	text += skipped;
	size = strnlen(text, SHOWN_MOST);
	printable_put(out, text, size);
	fputs(text[size] ? "..." : "", out);
	if (fclose(out) == 0)
		return result;
	free(result);
	return NULL;
}

static size_t count_same(const char *a, const char *b)
{
	size_t same = 0;

	while (a[same] && a[same] == b[same])
		same++;
	return same;
}

/* A path in other texts, as in the options that a producer tells, is recognised by how they differ. */
static const char *cause_of(enum dwarf_fact fact, const char *a, const char *b, size_t same)
{
	size_t start = same < SHOWN_MOST ? 0 : same - SHOWN_MOST;

	return fact == DWARF_DIRECTORY
		       ? CAUSE_PATH
		       : cause_of_text(a + start, strlen(a) - start, b + start, strlen(b) - start);
}

int dwarf_facts_say(const struct dwarf_facts *facts, struct node *node)
{
	static const char *const names[DWARF_FACTS] = {
		[DWARF_NAME] = "name",
		[DWARF_DIRECTORY] = "directory",
		[DWARF_PRODUCER] = "producer",
	};

	for (int i = 0; i < DWARF_FACTS; i++) {
		const char *a = facts->list[i].a, *b = facts->list[i].b;
		size_t same = facts->list[i].count ? count_same(a, b) : 0;
		cleanup_free char *unit = NULL, *one = NULL, *other = NULL;

		if (!facts->list[i].count)
			continue;
		unit = shown(facts->list[i].unit, 0);
		one = shown(a, same);
		other = shown(b, same);
		if (!unit || !one || !other ||
			node_say(node, LEVEL_STRUCTURE, cause_of((enum dwarf_fact)i, a, b, same),
				"%s of units, %zu in all, the first is %s: %s, %s", names[i],
				facts->list[i].count, unit, one, other))
			return -1;
	}
	return 0;
}
