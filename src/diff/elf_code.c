#include "diff/elf_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/binary.h"
#include "diff/elf_disassembly.h"
#include "diff/elf_functions.h"
#include "diff/printable.h"

#define NAMED_MOST 10  /* functions that a line names */
#define TITLE_MOST 200 /* characters of a name above an excerpt */
#define SHOWN_MOST 4   /* functions that are shown in assembly language */

typedef unsigned long long number;

void elf_named_release(struct elf_named *named)
{
	elf_symbols_release(&named->sides[0]);
	elf_symbols_release(&named->sides[1]);
}

static enum compared read_tables(
	struct elf_named *named, const struct elf_part parts[2], uint32_t type, struct error *err)
{
	enum compared compared = COMPARED;

	for (int i = 0; i < 2 && compared == COMPARED; i++) {
		const struct elf_section *table = elf_section_typed(parts[i].elf, type);
		const struct elf_part part = { .elf = parts[i].elf,
			.section = table,
			.bytes = table ? table->bytes : (struct blob){ 0 } };

		compared = table ? elf_symbols_read(&named->sides[i], &part, err) : NOT_THIS;
		if (compared == COMPARED)
			elf_functions_sort(&named->sides[i]);
	}
	if (compared != COMPARED)
		elf_named_release(named);
	return compared;
}

/* Functions are compared by the same kind of table: what is stripped has only the dynamic one. */
static enum compared read_named(
	struct elf_named *named, const struct elf_part parts[2], struct error *err)
{
	enum compared compared;

	if (named->tried)
		return named->sides[0].list ? COMPARED : NOT_THIS;
	named->tried = true;
	compared = read_tables(named, parts, SHT_SYMTAB, err);
	return compared == NOT_THIS ? read_tables(named, parts, SHT_DYNSYM, err) : compared;
}

/* A list of names, of which the first are shown. */
struct names {
	size_t count;
	char *text;
	size_t size;
	FILE *out;
};

static void name(struct names *names, const struct elf_function *a, const struct elf_function *b)
{
	if (names->count++ >= NAMED_MOST)
		return;
	fputs(names->count > 1 ? ", " : ": ", names->out);
	printable_put(names->out, a->name, strnlen(a->name, 200));
	if (b && a->size != b->size)
		fprintf(names->out, " (%llu bytes, %llu)", (number)a->size, (number)b->size);
	else
		fprintf(names->out, " (%llu bytes)", (number)a->size);
}

/* The work on one pair of sections. */
struct work {
	struct diff *diff;
	struct node *node;
	const struct elf_part *parts;
	struct elf_functions sides[2];	/* by place */
	struct elf_functions sorted[2]; /* the same by name */
	struct names changed, moved, only[2];
	/* Those that changed and come first, by place. */
	struct elf_function shown[SHOWN_MOST][2];
	size_t shown_count;
	bool resized;
};

static struct elf_part part_of(
	const struct work *work, int side, const struct elf_function *function)
{
	struct elf_part part = work->parts[side];

	part.bytes = blob_part(&part.bytes, function->at, function->size, NULL);
	part.functions = &work->sides[side];
	part.address = function->at;
	return part;
}

static void add_shown(struct work *work, const struct elf_function *a, const struct elf_function *b)
{
	size_t place = work->shown_count;

	while (place && a->at < work->shown[place - 1][0].at)
		place--;
	if (place == SHOWN_MOST)
		return;
	if (work->shown_count < SHOWN_MOST)
		work->shown_count++;
	for (size_t i = work->shown_count - 1; i > place; i--)
		memcpy(work->shown[i], work->shown[i - 1], sizeof(work->shown[0]));
	work->shown[place][0] = *a;
	work->shown[place][1] = *b;
}

static void compare_two(
	struct work *work, const struct elf_function *a, const struct elf_function *b)
{
	const struct elf_part one = part_of(work, 0, a), other = part_of(work, 1, b);

	if (blob_equal(&one.bytes, &other.bytes))
		return;
	if (elf_code_only_moved(&one, &other)) {
		name(&work->moved, a, b);
		return;
	}
	add_shown(work, a, b);
	work->resized |= a->size != b->size;
	name(&work->changed, a, b);
}

static void match(struct work *work)
{
	const struct elf_functions *a = &work->sorted[0], *b = &work->sorted[1];
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		int order = i == a->count   ? 1
			    : k == b->count ? -1
					    : strcmp(a->list[i].name, b->list[k].name);

		if (order == 0)
			compare_two(work, &a->list[i++], &b->list[k++]);
		else if (order < 0)
			name(&work->only[0], &a->list[i++], NULL);
		else
			name(&work->only[1], &b->list[k++], NULL);
	}
}

static int say(struct work *work, struct names *names, enum level level, const char *what)
{
	if (!names->count)
		return 0;
	if (names->count > NAMED_MOST)
		fputs(", ...", names->out);
	if (fflush(names->out))
		return -1;
	return node_say(
		work->node, level, NULL, "%s, %zu in all%s", what, names->count, names->text);
}

/* An excerpt under the name of its function; to be freed, NULL for none. */
static char *titled(const char *name, const char *excerpt)
{
	char *text;

	return excerpt && asprintf(&text, "%.*s:\n%s", TITLE_MOST, name, excerpt) >= 0 ? text
										       : NULL;
}

/* Lines of a function that changed; of machines without, its bytes. */
static enum compared show(struct work *work, size_t place, struct error *err)
{
	const struct elf_part parts[2] = { part_of(work, 0, &work->shown[place][0]),
		part_of(work, 1, &work->shown[place][1]) };
	const struct pair pair = { parts[0].bytes, parts[1].bytes };
	struct node *shown = node_new("", "code");
	enum compared compared;

	if (!shown)
		return COMPARE_FAILED;
	compared = elf_lines_compare(work->diff, shown, parts, elf_lines_of_code, NULL, err);
	if (compared == NOT_THIS)
		compared = binary_compare(work->diff, shown, &pair, err);
	if (compared == COMPARED && shown->finding_count)
		node_show(
			work->node, titled(work->shown[place][0].name, shown->findings[0].excerpt));
	node_free(shown);
	return compared;
}

/* The first with the list of all, the others by themselves. */
static enum compared show_some(struct work *work, enum level level, struct error *err)
{
	for (size_t i = 0; i < work->shown_count; i++) {
		const char *name = work->shown[i][0].name;

		if (i && node_say(work->node, level, NULL, "function %.*s differs", TITLE_MOST,
				 name))
			return COMPARE_FAILED;
		if (show(work, i, err) == COMPARE_FAILED)
			return COMPARE_FAILED;
	}
	return COMPARED;
}

static enum compared say_all(struct work *work, struct error *err)
{
	bool same = work->parts[0].bytes.size == work->parts[1].bytes.size && !work->resized;
	enum level level = same ? LEVEL_STRUCTURE : LEVEL_DIFFERENT;

	if (say(work, &work->changed, level, "functions that differ"))
		return COMPARE_FAILED;
	if (show_some(work, level, err) == COMPARE_FAILED)
		return COMPARE_FAILED;
	if (say(work, &work->only[0], LEVEL_DIFFERENT, "functions only in A") ||
		say(work, &work->only[1], LEVEL_DIFFERENT, "functions only in B") ||
		say(work, &work->moved, level,
			"functions that differ only in distances to what moved"))
		return COMPARE_FAILED;
	return work->node->finding_count ? COMPARED : NOT_THIS;
}

static int by_name(const void *a, const void *b)
{
	const struct elf_function *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : (one->at > other->at) - (one->at < other->at);
}

static int start(struct work *work, const struct elf_named *named)
{
	struct names *names[] = { &work->changed, &work->moved, &work->only[0], &work->only[1] };

	for (int i = 0; i < 4; i++)
		if (!(names[i]->out = open_memstream(&names[i]->text, &names[i]->size)))
			return -1;
	for (int i = 0; i < 2; i++) {
		struct elf_functions *sorted = &work->sorted[i];

		if (elf_functions_find(&work->sides[i], &named->sides[i], &work->parts[i]))
			return -1;
		sorted->count = work->sides[i].count;
		sorted->list = calloc(sorted->count + 1, sizeof(*sorted->list));
		if (!sorted->list)
			return -1;
		memcpy(sorted->list, work->sides[i].list, sorted->count * sizeof(*sorted->list));
		qsort(sorted->list, sorted->count, sizeof(*sorted->list), by_name);
	}
	return 0;
}

static void work_release(struct work *work)
{
	struct names *names[] = { &work->changed, &work->moved, &work->only[0], &work->only[1] };

	for (int i = 0; i < 4; i++) {
		if (names[i]->out)
			fclose(names[i]->out);
		free(names[i]->text);
	}
	for (int i = 0; i < 2; i++) {
		elf_functions_release(&work->sides[i]);
		elf_functions_release(&work->sorted[i]);
	}
}

enum compared elf_code_compare(struct diff *diff, struct node *node, const struct elf_part parts[2],
	struct elf_named *named, struct error *err)
{
	struct work work = { .diff = diff, .node = node, .parts = parts };
	enum compared compared = read_named(named, parts, err);

	if (compared != COMPARED)
		return compared;
	error_set(err, ENOMEM, "cannot compare code");
	if (start(&work, named)) {
		compared = COMPARE_FAILED;
	} else {
		match(&work);
		compared = say_all(&work, err);
	}
	work_release(&work);
	return compared;
}
