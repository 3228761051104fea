#include "diff/elf_compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/elf_names.h"
#include "diff/elf_rest.h"
#include "diff/elf_section.h"

typedef unsigned long long number;

/* The work on two files. */
struct work {
	struct diff *diff;
	struct node *node;
	struct elf sides[2];
	struct elf_named named;
	size_t moved, shifted; /* sections of other addresses, of other places in the file */
};

bool elf_is(const struct blob *blob)
{
	return blob_has(blob, 0, ELFMAG, SELFMAG) && blob->size > EI_VERSION &&
	       (blob->data[EI_CLASS] == ELFCLASS32 || blob->data[EI_CLASS] == ELFCLASS64) &&
	       (blob->data[EI_DATA] == ELFDATA2LSB || blob->data[EI_DATA] == ELFDATA2MSB);
}

static int say_words(struct node *node, const char *what, const char *a, const char *b)
{
	return strcmp(a, b) == 0 ? 0
				 : node_say(node, LEVEL_DIFFERENT, NULL, "%s: %s, %s", what, a, b);
}

static int say_number(struct node *node, enum level level, const char *what, uint64_t a, uint64_t b)
{
	return a == b ? 0
		      : node_say(node, level, NULL, "%s: 0x%llx, 0x%llx", what, (number)a,
				(number)b);
}

static int say_header(struct node *node, const struct elf *a, const struct elf *b)
{
	const struct {
		const char *what;
		uint64_t a, b;
		enum level level;
	} numbers[] = {
		{ "number of the type", a->type, b->type, LEVEL_DIFFERENT },
		{ "machine", a->machine, b->machine, LEVEL_DIFFERENT },
		{ "version", a->version, b->version, LEVEL_STRUCTURE },
		{ "ABI", a->abi, b->abi, LEVEL_STRUCTURE },
		{ "version of the ABI", a->abi_version, b->abi_version, LEVEL_STRUCTURE },
		{ "flags", a->flags, b->flags, LEVEL_STRUCTURE },
		{ "entry point", a->entry, b->entry, LEVEL_STRUCTURE },
		{ "place of the program headers", a->segments_at, b->segments_at, LEVEL_CONTENT },
		{ "place of the section headers", a->sections_at, b->sections_at, LEVEL_CONTENT },
	};

	if (say_words(node, "class", a->wide ? "64 bits" : "32 bits",
		    b->wide ? "64 bits" : "32 bits") ||
		say_words(node, "byte order", a->big ? "big-endian" : "little-endian",
			b->big ? "big-endian" : "little-endian") ||
		say_words(node, "type", elf_file_type(a->type), elf_file_type(b->type)))
		return -1;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (say_number(node, numbers[i].level, numbers[i].what, numbers[i].a, numbers[i].b))
			return -1;
	return 0;
}

/* What strip leaves out is many sections: their common name comes first. */
static int say_stripped(struct node *node, const struct elf *a, const struct elf *b)
{
	bool symbols[2] = { elf_section_typed(a, SHT_SYMTAB), elf_section_typed(b, SHT_SYMTAB) };

	return symbols[0] == symbols[1]
		       ? 0
		       : node_say(node, LEVEL_DIFFERENT, NULL, "%s is stripped, %s is not",
				 symbols[0] ? "B" : "A", symbols[0] ? "A" : "B");
}

/* The frame passes only the pair, which is the first member: both tables. */
struct segments {
	struct pair pair;
	const struct elf *sides;
};

static enum compared compare_segment_lines(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	const struct segments *segments = (const struct segments *)pair;
	const struct elf_part parts[2] = { { .elf = &segments->sides[0] },
		{ .elf = &segments->sides[1] } };
	enum compared compared =
		elf_lines_compare(diff, node, parts, elf_lines_of_segments, NULL, err);

	/* Addresses are not random here. */
	for (size_t i = 0; i < node->finding_count; i++)
		node->findings[i].cause = NULL;
	return compared == NOT_THIS ? COMPARED : compared;
}

static struct blob segment_table(const struct elf *elf)
{
	return blob_part(elf->blob, elf->segments_at,
		elf->segment_count * (elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)), NULL);
}

static int compare_segments(struct work *work, struct error *err)
{
	const struct segments segments = {
		.pair = { segment_table(&work->sides[0]), segment_table(&work->sides[1]) },
		.sides = work->sides,
	};
	struct node *node = compare_pair(work->diff, "program headers", &segments.pair,
		compare_segment_lines, "program headers", err);

	if (!node)
		return -1;
	return node_add(work->node, node) ? error_set(err, ENOMEM, "cannot compare headers") : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct elf_section *const *one = a, *const *other = b;
	int order = strcmp((*one)->name, (*other)->name);

	return order ? order
		     : ((*one)->index > (*other)->index) - ((*one)->index < (*other)->index);
}

/* All but the first, which is none. */
static const struct elf_section **sorted(const struct elf *elf, size_t *count)
{
	const struct elf_section **list;

	*count = elf->section_count ? elf->section_count - 1 : 0;
	list = calloc(*count + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (size_t i = 0; i < *count; i++)
		list[i] = &elf->sections[i + 1];
	qsort(list, *count, sizeof(*list), by_name);
	return list;
}

static int compare_two(struct work *work, const struct elf_section *a, const struct elf_section *b,
	struct error *err)
{
	const struct elf_part parts[2] = {
		{ .elf = &work->sides[0], .section = a },
		{ .elf = &work->sides[1], .section = b },
	};

	work->moved += a->address != b->address;
	work->shifted += a->offset != b->offset;
	return elf_section_compare(work->diff, work->node, parts, &work->named, err);
}

static int match(struct work *work, const struct elf_section *const *a, size_t a_count,
	const struct elf_section *const *b, size_t b_count, struct error *err)
{
	size_t i = 0, k = 0;
	int failed = 0;

	while (!failed && (i < a_count || k < b_count)) {
		int order = i == a_count ? 1 : k == b_count ? -1 : strcmp(a[i]->name, b[k]->name);

		if (order == 0)
			failed = compare_two(work, a[i++], b[k++], err);
		else if (order < 0)
			failed = elf_section_lonely(work->diff, work->node, a[i++], 0, err);
		else
			failed = elf_section_lonely(work->diff, work->node, b[k++], 1, err);
	}
	return failed;
}

static int compare_sections(struct work *work, struct error *err)
{
	size_t a_count, b_count;
	const struct elf_section **a = sorted(&work->sides[0], &a_count);
	const struct elf_section **b = sorted(&work->sides[1], &b_count);
	int failed = a && b ? match(work, a, a_count, b, b_count, err)
			    : error_set(err, ENOMEM, "cannot compare sections");

	free(a);
	free(b);
	return failed;
}

/* Moves of all sections are one finding: they follow from the size of one. */
static int say_places(struct work *work)
{
	if (work->moved && node_say(work->node, LEVEL_STRUCTURE, NULL,
				   "sections at other addresses: %zu", work->moved))
		return -1;
	return work->shifted ? node_say(work->node, LEVEL_CONTENT, NULL,
				       "sections at other places in the file: %zu", work->shifted)
			     : 0;
}

static int compare(struct work *work, const struct pair *pair, struct error *err)
{
	const struct elf *a = &work->sides[0], *b = &work->sides[1];

	if (say_header(work->node, a, b) || say_stripped(work->node, a, b))
		return error_set(err, ENOMEM, "cannot compare headers");
	if (compare_segments(work, err) || compare_sections(work, err))
		return -1;
	if (say_places(work))
		return error_set(err, ENOMEM, "cannot compare sections");
	if (elf_rest_compare(work->diff, work->node, work->sides, err))
		return -1;
	/* Whatever is left is in fields of headers that no reader looks at. */
	if (work->node->level == LEVEL_BITS && !work->node->ignored_objects &&
		!blob_equal(&pair->a, &pair->b) &&
		node_say(work->node, LEVEL_STRUCTURE, NULL, "unused fields of headers differ"))
		return error_set(err, ENOMEM, "cannot compare headers");
	return 0;
}

enum compared elf_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct work work = { .diff = diff, .node = node };
	uint64_t most = diff->options->members;
	enum compared compared = elf_parts_read(&work.sides[0], &pair->a, most, err);

	if (compared == COMPARED)
		compared = elf_parts_read(&work.sides[1], &pair->b, most, err);
	if (compared == COMPARED && compare(&work, pair, err))
		compared = COMPARE_FAILED;
	elf_named_release(&work.named);
	elf_parts_release(&work.sides[0]);
	elf_parts_release(&work.sides[1]);
	return compared;
}
