#include "diff/elf_symbols.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/cause.h"
#include "diff/printable.h"
#include "diff/resync.h"

#define NAMES_MOST   8	/* so many times the string table may all names have together */
#define SHOWN_MOST   40 /* lines of an excerpt */
#define RANDOM_LEAST 4	/* characters that differ in names with random parts */

typedef unsigned long long number;

static void read_symbol(const struct elf_part *part, uint64_t at, struct elf_symbol *symbol)
{
	const struct elf *elf = part->elf;
	const struct blob *bytes = &part->bytes;
	unsigned info = bytes->data[at + (elf->wide ? 4 : 12)];

	symbol->value = elf_word(elf, bytes, at + (elf->wide ? 8 : 4));
	symbol->size = elf_word(elf, bytes, at + (elf->wide ? 16 : 8));
	symbol->type = ELF64_ST_TYPE(info);
	symbol->binding = ELF64_ST_BIND(info);
	symbol->other = bytes->data[at + (elf->wide ? 5 : 13)];
	symbol->section_index = (uint32_t)elf_number(elf, bytes, at + (elf->wide ? 6 : 14), 2);
	symbol->section = elf_section_name(elf, symbol->section_index);
}

/* From the best to tell them apart to the least. */
static int order_of(const struct elf_symbol *a, const struct elf_symbol *b)
{
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->section, b->section);
	return order ? order : a->type - b->type;
}

static int by_name(const void *a, const void *b)
{
	const struct elf_symbol *one = a, *other = b;
	int order = order_of(one, other);

	if (!order)
		order = (one->value > other->value) - (one->value < other->value);
	return order ? order : (one->order > other->order) - (one->order < other->order);
}

static bool read_all(struct elf_symbols *symbols, const struct elf_part *part, uint64_t bytes)
{
	const struct elf_section *section =
		elf_section_linked(part->elf, part->section->link, SHT_STRTAB);
	uint64_t left = section ? NAMES_MOST * section->bytes.size : 0;

	for (size_t i = 0; section && i < symbols->count; i++) {
		struct elf_symbol *symbol = &symbols->list[i];
		uint64_t at = i * bytes, size;

		symbol->order = (uint32_t)i;
		read_symbol(part, at, symbol);
		symbol->name =
			elf_string(&section->bytes, elf_number(part->elf, &part->bytes, at, 4));
		size = symbol->name ? strlen(symbol->name) : UINT64_MAX;
		if (size > left)
			return false;
		left -= size;
		if (symbol->type == STT_SECTION && !size)
			symbol->name = symbol->section;
	}
	return section != NULL;
}

enum compared elf_symbols_read(
	struct elf_symbols *symbols, const struct elf_part *part, struct error *err)
{
	uint64_t bytes = part->elf->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	*symbols = (struct elf_symbols){ .count = part->bytes.size / bytes };
	if (part->bytes.size % bytes || symbols->count > UINT32_MAX)
		return NOT_THIS;
	symbols->list = calloc(symbols->count + 1, sizeof(*symbols->list));
	if (!symbols->list)
		return error_set(err, ENOMEM, "cannot read symbols"), COMPARE_FAILED;
	if (!read_all(symbols, part, bytes)) {
		elf_symbols_release(symbols);
		return NOT_THIS;
	}
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), by_name);
	return COMPARED;
}

void elf_symbols_release(struct elf_symbols *symbols)
{
	free(symbols->list);
	*symbols = (struct elf_symbols){ 0 };
}

/* Symbols that have no equal in the other table, and what is known of all. */
struct comparison {
	struct elf_symbols sides[2];
	const struct elf_symbol **lonely[2];
	size_t lonely_count[2];
	size_t random, moved, changed;
	FILE *shown[3]; /* excerpts: of lonely ones, random names, changed ones */
	char *excerpts[3];
	size_t sizes[3];
	size_t lines[3];
};
enum { SHOW_LONELY, SHOW_RANDOM, SHOW_CHANGED };

static void show(struct comparison *all, int which, char sign, const struct elf_symbol *symbol)
{
	static const char *const types[] = { "", "object ", "function ", "section ", "file ",
		"common ", "thread-local " };
	static const char *const bindings[] = { "local ", "", "weak " };
	FILE *out = all->shown[which];

	if (all->lines[which]++ >= SHOWN_MOST)
		return;
	fprintf(out, "%c%s%s", sign, symbol->binding < 3 ? bindings[symbol->binding] : "",
		symbol->type < 7 ? types[symbol->type] : "");
	printable_put(out, symbol->name, strnlen(symbol->name, 200));
	fprintf(out, ", %llu bytes, at 0x%llx in ", (number)symbol->size, (number)symbol->value);
	printable_put(out, symbol->section, strnlen(symbol->section, 200));
	if (symbol->type >= 7 || symbol->binding >= 3 || symbol->other)
		fprintf(out, " (type %u, binding %u, other %u)", symbol->type, symbol->binding,
			symbol->other);
	fputc('\n', out);
}

static void compare_two(
	struct comparison *all, const struct elf_symbol *a, const struct elf_symbol *b)
{
	if (a->size != b->size || a->binding != b->binding || a->other != b->other) {
		all->changed++;
		show(all, SHOW_CHANGED, '-', a);
		show(all, SHOW_CHANGED, '+', b);
	} else if (a->value != b->value) {
		all->moved++;
	}
}

static void match(struct comparison *all)
{
	const struct elf_symbols *a = &all->sides[0], *b = &all->sides[1];
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		int order = i == a->count   ? 1
			    : k == b->count ? -1
					    : order_of(&a->list[i], &b->list[k]);

		if (order == 0)
			compare_two(all, &a->list[i++], &b->list[k++]);
		else if (order < 0)
			all->lonely[0][all->lonely_count[0]++] = &a->list[i++];
		else
			all->lonely[1][all->lonely_count[1]++] = &b->list[k++];
	}
}

static bool is_random_part(const char *part, size_t size)
{
	bool digit = false;

	for (size_t i = 0; i < size; i++) {
		if (!isalnum((unsigned char)part[i]))
			return false;
		digit |= isdigit((unsigned char)part[i]) != 0;
	}
	return digit;
}

/* The same but for a part that nobody would write. */
static bool is_random_pair(const struct elf_symbol *a, const struct elf_symbol *b)
{
	size_t size = strlen(a->name), prefix, suffix;

	if (a->type != b->type || a->binding != b->binding || a->size != b->size ||
		strlen(b->name) != size)
		return false;
	prefix =
		common_prefix((const unsigned char *)a->name, (const unsigned char *)b->name, size);
	suffix = common_suffix((const unsigned char *)a->name + size,
		(const unsigned char *)b->name + size, size - prefix);
	size -= prefix + suffix;
	return prefix && size >= RANDOM_LEAST && is_random_part(a->name + prefix, size) &&
	       is_random_part(b->name + prefix, size);
}

/* Names are in order, and so are those that begin alike: at each step two may belong together. */
static void match_lonely(struct comparison *all)
{
	size_t i = 0, k = 0;

	while (i < all->lonely_count[0] || k < all->lonely_count[1]) {
		const struct elf_symbol *a = i < all->lonely_count[0] ? all->lonely[0][i] : NULL;
		const struct elf_symbol *b = k < all->lonely_count[1] ? all->lonely[1][k] : NULL;
		int order = !b ? -1 : !a ? 1 : order_of(a, b);
		int which = a && b && is_random_pair(a, b) ? SHOW_RANDOM : SHOW_LONELY;

		all->random += which == SHOW_RANDOM;
		if (a && (which == SHOW_RANDOM || order < 0)) {
			show(all, which, '-', a);
			i++;
		}
		if (b && (which == SHOW_RANDOM || order > 0)) {
			show(all, which, '+', b);
			k++;
		}
	}
}

static int say(struct comparison *all, struct node *node, int which, enum level level,
	const char *cause, const char *what)
{
	char **excerpt = &all->excerpts[which];

	if (all->lines[which] > SHOWN_MOST)
		fprintf(all->shown[which], "... and %zu more\n", all->lines[which] - SHOWN_MOST);
	if (fflush(all->shown[which]) || node_say(node, level, cause, "%s", what))
		return -1;
	node_show(node, strdup(*excerpt));
	return 0;
}

static int say_all(struct comparison *all, struct node *node, const struct pair *pair)
{
	size_t only[2] = { all->lonely_count[0] - all->random, all->lonely_count[1] - all->random };
	char what[160];

	snprintf(what, sizeof(what), "symbols only in A: %zu, only in B: %zu", only[0], only[1]);
	if ((only[0] || only[1]) && say(all, node, SHOW_LONELY, LEVEL_DIFFERENT, NULL, what))
		return -1;
	snprintf(what, sizeof(what), "symbols with another random part in their names: %zu",
		all->random);
	if (all->random && say(all, node, SHOW_RANDOM, LEVEL_DIFFERENT, CAUSE_RANDOM, what))
		return -1;
	snprintf(what, sizeof(what), "symbols with another size, binding or visibility: %zu",
		all->changed);
	if (all->changed && say(all, node, SHOW_CHANGED, LEVEL_DIFFERENT, NULL, what))
		return -1;
	if (all->moved && node_say(node, LEVEL_STRUCTURE, NULL,
				  "symbols that only moved to other addresses: %zu of %zu",
				  all->moved, all->sides[0].count))
		return -1;
	if (node->finding_count || blob_equal(&pair->a, &pair->b))
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_ORDER,
		"the same symbols, in another order or by other numbers");
}

static void comparison_release(struct comparison *all)
{
	for (int i = 0; i < 3; i++) {
		if (all->shown[i])
			fclose(all->shown[i]);
		free(all->excerpts[i]);
	}
	for (int i = 0; i < 2; i++) {
		free(all->lonely[i]);
		elf_symbols_release(&all->sides[i]);
	}
}

static bool comparison_start(struct comparison *all)
{
	bool started = true;

	for (int i = 0; i < 3; i++)
		started &=
			(all->shown[i] = open_memstream(&all->excerpts[i], &all->sizes[i])) != NULL;
	for (int i = 0; i < 2; i++) {
		all->lonely[i] = calloc(all->sides[i].count + 1, sizeof(*all->lonely[i]));
		started &= all->lonely[i] != NULL;
	}
	return started;
}

static int compare_tables(struct comparison *all, struct node *node, const struct pair *pair)
{
	if (!comparison_start(all))
		return -1;
	match(all);
	match_lonely(all);
	return say_all(all, node, pair);
}

enum compared elf_symbols_compare(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	const struct pair pair = { parts[0].bytes, parts[1].bytes };
	struct comparison all = { 0 };
	enum compared compared = elf_symbols_read(&all.sides[0], &parts[0], err);

	(void)diff;
	if (compared == COMPARED)
		compared = elf_symbols_read(&all.sides[1], &parts[1], err);
	if (compared == COMPARED && compare_tables(&all, node, &pair)) {
		error_set(err, ENOMEM, "cannot compare symbols");
		compared = COMPARE_FAILED;
	}
	comparison_release(&all);
	return compared;
}
