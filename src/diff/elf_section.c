#include "diff/elf_section.h"

#include <errno.h>
#include <string.h>

#include "diff/binary.h"
#include "diff/cause.h"
#include "diff/dwarf_compare.h"
#include "diff/elf_notes.h"
#include "diff/elf_unpack.h"
#include "diff/formats.h"

typedef unsigned long long number;

struct kind;

/* What a comparison is about; the frame passes only the pair, which is its first member. */
struct sections {
	struct pair pair;
	struct elf_part parts[2];
	const struct kind *kind;
	struct elf_named *named;
};

typedef enum compared kind_function(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err);

/* What was found makes no more than this of the section. */
static void weigh(struct node *node, enum level level)
{
	for (size_t i = 0; i < node->finding_count; i++) {
		struct finding *finding = &node->findings[i];

		if (finding->level > level)
			finding->level = level;
	}
	if (node->level > level)
		node->level = level;
}

static enum compared said(struct node *node, int failed, struct error *err)
{
	if (!failed)
		return COMPARED;
	error_set(err, ENOMEM, "cannot compare %s", node->name);
	return COMPARE_FAILED;
}

static elf_lines_function *lines_of(const struct elf_section *section)
{
	switch (section->type) {
	case SHT_DYNAMIC:
		return elf_lines_of_dynamic;
	case SHT_GROUP:
		return elf_lines_of_group;
	default:
		return elf_lines_of_relocations;
	}
}

/* Addresses in lines are not random: they follow from the sizes of what is before. */
static void drop_causes_of_addresses(struct node *node)
{
	for (size_t i = 0; i < node->finding_count; i++) {
		const char **cause = &node->findings[i].cause;

		if (*cause &&
			(strcmp(*cause, CAUSE_RANDOM) == 0 || strcmp(*cause, CAUSE_HASH) == 0))
			*cause = NULL;
	}
}

/* Entries that refer to others. When these are the same, only the numbers for them differ. */
static enum compared compare_references(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	enum compared compared =
		elf_lines_compare(diff, node, sections->parts, lines_of(sections->parts[0].section),
			"the same entries, by other numbers of sections, symbols or strings", err);

	drop_causes_of_addresses(node);
	return compared;
}

static enum compared compare_strings(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	enum compared compared =
		elf_lines_compare(diff, node, sections->parts, elf_lines_of_strings, NULL, err);

	if (sections->pair.a.size == sections->pair.b.size)
		weigh(node, LEVEL_STRUCTURE);
	return compared;
}

static enum compared compare_merged_strings(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	enum compared compared = elf_lines_compare(diff, node, sections->parts,
		elf_lines_of_merged_strings, "the same strings in another order", err);

	if (sections->pair.a.size == sections->pair.b.size)
		weigh(node, LEVEL_STRUCTURE);
	return compared;
}

/* Which compilers were there: nothing that a program sees of itself. */
static enum compared compare_comment(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	enum compared compared = compare_strings(diff, node, sections, err);

	weigh(node, LEVEL_CONTENT);
	for (size_t i = 0; i < node->finding_count; i++)
		node->findings[i].cause = CAUSE_VERSION;
	return compared;
}

static enum compared compare_symbols(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	return elf_symbols_compare(diff, node, sections->parts, err);
}

static enum compared compare_notes(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	return elf_notes_compare(diff, node, sections->parts, err);
}

/* The name of a file, padded to four bytes, and the file's checksum. */
static enum compared compare_link(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	const struct elf_part *parts = sections->parts;
	const char *names[2];
	number sums[2];
	int failed = 0;

	(void)diff;
	for (int i = 0; i < 2; i++) {
		names[i] = elf_string(&parts[i].bytes, 0);
		if (!names[i] || parts[i].bytes.size != strlen(names[i]) / 4 * 4 + 8)
			return NOT_THIS;
		sums[i] = elf_number(parts[i].elf, &parts[i].bytes, parts[i].bytes.size - 4, 4);
	}
	if (strcmp(names[0], names[1]) != 0)
		failed = node_say(node, LEVEL_CONTENT, NULL, "name of the debug file: %s, %s",
			names[0], names[1]);
	if (!failed && sums[0] != sums[1])
		failed = node_say(node, LEVEL_CONTENT, CAUSE_HASH,
			"checksum of the debug file: %08llx, %08llx", sums[0], sums[1]);
	if (!failed && !node->finding_count)
		return NOT_THIS;
	return said(node, failed, err);
}

static enum compared compare_code(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	return elf_code_compare(diff, node, sections->parts, sections->named, err);
}

/* Texts among the bytes tell more than these. */
static int say_texts(struct node *node, struct node *texts, enum level most)
{
	for (size_t i = 0; i < texts->finding_count; i++) {
		struct finding *text = &texts->findings[i];

		if (node_say(node, text->level < most ? text->level : most, text->cause,
			    "of the texts in it: %s", text->what))
			return -1;
		node_show(node, text->excerpt);
		text->excerpt = NULL;
	}
	return 0;
}

static enum compared compare_data(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	bool same = sections->pair.a.size == sections->pair.b.size;
	struct node *texts = node_new("", "text");
	enum compared compared = texts ? elf_lines_compare(diff, texts, sections->parts,
						 elf_lines_of_texts, NULL, err)
				       : said(node, -1, err);

	if (compared == COMPARED)
		compared = said(node,
			say_texts(node, texts, same ? LEVEL_STRUCTURE : LEVEL_DIFFERENT), err);
	node_free(texts);
	return compared == COMPARE_FAILED ? compared
					  : binary_compare(diff, node, &sections->pair, err);
}

static enum compared compare_bytes(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	return binary_compare(diff, node, &sections->pair, err);
}

/* Texts of debug information are also told by what they are for. */
static enum compared compare_debug_strings(
	struct diff *diff, struct node *node, const struct sections *sections, struct error *err)
{
	enum compared compared = compare_merged_strings(diff, node, sections, err);

	if (compared == COMPARED &&
		dwarf_say_of_texts(diff, node, sections->parts, err) == COMPARE_FAILED)
		compared = COMPARE_FAILED;
	return compared;
}

/* Debug information, of units and their line tables. */
#define COMPARE_BY(name, how)                                                                      \
	static enum compared name(struct diff *diff, struct node *node,                            \
		const struct sections *sections, struct error *err)                                \
	{                                                                                          \
		return how(diff, node, sections->parts, err);                                      \
	}
COMPARE_BY(compare_units, dwarf_compare_info)
COMPARE_BY(compare_types, dwarf_compare_types)
COMPARE_BY(compare_line_tables, dwarf_compare_lines)
COMPARE_BY(compare_abbreviations, dwarf_compare_abbreviations)
COMPARE_BY(compare_text_offsets, dwarf_compare_text_offsets)

/* How sections are compared: the first row that is theirs. 0, NULL: any. */
static const struct kind {
	const char *name; /* or its start, with a star */
	uint32_t type;
	uint64_t flags;
	const char *format;
	kind_function *compare;
} kinds[] = {
	{ ".comment", 0, 0, "compilers", compare_comment },
	{ ".gnu_debuglink", 0, 0, "debug link", compare_link },
	{ NULL, SHT_SYMTAB, 0, "symbols", compare_symbols },
	{ NULL, SHT_DYNSYM, 0, "symbols", compare_symbols },
	{ NULL, SHT_NOTE, 0, "notes", compare_notes },
	{ NULL, SHT_DYNAMIC, 0, "dynamic section", compare_references },
	{ NULL, SHT_RELA, 0, "relocations", compare_references },
	{ NULL, SHT_REL, 0, "relocations", compare_references },
	{ NULL, SHT_GROUP, 0, "group", compare_references },
	{ NULL, SHT_STRTAB, 0, "strings", compare_strings },
	{ ".debug_info", 0, 0, "debug info", compare_units },
	{ ".zdebug_info", 0, 0, "debug info", compare_units },
	{ ".debug_types", 0, 0, "debug info", compare_types },
	{ ".zdebug_types", 0, 0, "debug info", compare_types },
	{ ".debug_line", 0, 0, "line tables", compare_line_tables },
	{ ".zdebug_line", 0, 0, "line tables", compare_line_tables },
	{ ".debug_abbrev", 0, 0, "abbreviations", compare_abbreviations },
	{ ".zdebug_abbrev", 0, 0, "abbreviations", compare_abbreviations },
	{ ".debug_str_offsets", 0, 0, "debug strings", compare_text_offsets },
	{ ".zdebug_str_offsets", 0, 0, "debug strings", compare_text_offsets },
	{ ".debug*", 0, SHF_STRINGS, "debug strings", compare_debug_strings },
	{ ".zdebug*", 0, SHF_STRINGS, "debug strings", compare_debug_strings },
	{ ".debug*", 0, 0, "debug info", compare_bytes },
	{ ".zdebug*", 0, 0, "debug info", compare_bytes },
	{ ".eh_frame*", 0, 0, "unwind info", compare_bytes },
	{ NULL, SHT_PROGBITS, SHF_STRINGS, "strings", compare_strings },
	{ NULL, SHT_PROGBITS, SHF_EXECINSTR, "code", compare_code },
	{ NULL, 0, 0, "section", compare_data },
};

static bool is_named(const struct elf_section *section, const char *name)
{
	size_t size = strcspn(name, "*");

	return strncmp(section->name, name, size) == 0 && (name[size] || !section->name[size]);
}

static bool is_of(const struct elf_section *section, const struct kind *kind)
{
	return (!kind->name || is_named(section, kind->name)) &&
	       (!kind->type || section->type == kind->type) &&
	       (section->flags & kind->flags) == kind->flags;
}

/* Both must be of it; of the last all are. */
static const struct kind *kind_of(const struct elf_section *a, const struct elf_section *b)
{
	const struct kind *kind = kinds;

	while (!is_of(a, kind) || !is_of(b, kind))
		kind++;
	return kind;
}

/* What a kind cannot read, or finds equal, is bytes. */
static enum compared compare_kind(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	const struct sections *sections = (const struct sections *)pair;
	enum compared compared = COMPARED;

	if (!blob_equal(&pair->a, &pair->b)) {
		compared = sections->kind->compare(diff, node, sections, err);
		if (compared == NOT_THIS)
			compared = binary_compare(diff, node, pair, err);
	}
	return compared;
}

static int say_number(struct node *node, enum level level, const char *what, uint64_t a, uint64_t b)
{
	return a == b ? 0
		      : node_say(node, level, NULL, "%s: 0x%llx, 0x%llx", what, (number)a,
				(number)b);
}

static int say_section(
	struct node *node, enum level level, const char *what, const char *a, const char *b)
{
	return strcmp(a, b) == 0 ? 0 : node_say(node, level, NULL, "%s: %s, %s", what, a, b);
}

/* What `info` of a header is for. */
static int say_info(struct node *node, const struct elf_part parts[2])
{
	const struct elf_section *a = parts[0].section, *b = parts[1].section;

	if (a->type == SHT_GROUP) /* a number of a symbol */
		return 0;
	if (a->type == SHT_REL || a->type == SHT_RELA || a->flags & SHF_INFO_LINK)
		return say_section(node, LEVEL_STRUCTURE, "for",
			elf_section_name(parts[0].elf, a->info),
			elf_section_name(parts[1].elf, b->info));
	return say_number(node, LEVEL_STRUCTURE, "info", a->info, b->info);
}

static int say_header(struct node *node, const struct elf_part parts[2])
{
	const struct elf_section *a = parts[0].section, *b = parts[1].section;

	/* Packing is told in words. */
	if (say_number(node, LEVEL_DIFFERENT, "type", a->type, b->type) ||
		say_number(node, LEVEL_DIFFERENT, "flags", a->flags & ~(uint64_t)SHF_COMPRESSED,
			b->flags & ~(uint64_t)SHF_COMPRESSED) ||
		say_number(
			node, LEVEL_STRUCTURE, "size of entries", a->entry_size, b->entry_size) ||
		say_section(node, LEVEL_STRUCTURE, "linked to",
			elf_section_name(parts[0].elf, a->link),
			elf_section_name(parts[1].elf, b->link)))
		return -1;
	if (!((a->flags | b->flags) & SHF_COMPRESSED) &&
		say_number(node, LEVEL_STRUCTURE, "alignment", a->alignment, b->alignment))
		return -1;
	if (a->type == SHT_NOBITS && b->type == SHT_NOBITS &&
		say_number(node, LEVEL_DIFFERENT, "size", a->size, b->size))
		return -1;
	return say_info(node, parts);
}

/* Both were unpacked: what is left to tell is how they are packed. */
static int say_packing(
	struct node *node, const struct elf_part parts[2], const struct elf_unpacked unpacked[2])
{
	const char *a = unpacked[0].packing, *b = unpacked[1].packing;

	if (blob_equal(&parts[0].section->bytes, &parts[1].section->bytes) || (!a && !b))
		return 0;
	if ((a ? strcmp(a, b ? b : "") : 1) == 0)
		return node->finding_count ? 0
					   : node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
						     "packed otherwise");
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "packed by: %s, %s",
		a ? a : "nothing", b ? b : "nothing");
}

/* A whole file may be in a section: it is compared as such. */
static bool is_other_format(const struct sections *sections)
{
	return sections->kind->compare == compare_data &&
	       formats_next(NULL, &sections->pair)->compare != binary_compare;
}

static int compare_unpacked(struct diff *diff, struct node *parent, struct sections *sections,
	const struct elf_unpacked unpacked[2], struct error *err)
{
	const struct elf_part *parts = sections->parts;
	const struct kind *kind = sections->kind;
	bool other = is_other_format(sections);
	const char *name = *parts[0].section->name ? parts[0].section->name : "no name";
	struct node *node = compare_pair(diff, name, &sections->pair, other ? NULL : compare_kind,
		other ? NULL : kind->format, err);

	if (!node)
		return -1;
	if (say_header(node, parts) || say_packing(node, parts, unpacked)) {
		node_free(node);
		return error_set(err, ENOMEM, "cannot compare %s", name);
	}
	return node_add(parent, node) ? error_set(err, ENOMEM, "cannot compare %s", name) : 0;
}

int elf_section_compare(struct diff *diff, struct node *parent, const struct elf_part parts[2],
	struct elf_named *named, struct error *err)
{
	struct sections sections = { .parts = { parts[0], parts[1] },
		.kind = kind_of(parts[0].section, parts[1].section),
		.named = named };
	struct elf_unpacked unpacked[2];
	int failed = -1;

	if (elf_unpack(&unpacked[0], parts[0].elf, parts[0].section, &diff->budget, err))
		return -1;
	if (elf_unpack(&unpacked[1], parts[1].elf, parts[1].section, &diff->budget, err) == 0) {
		sections.parts[0].bytes = sections.pair.a = unpacked[0].blob;
		sections.parts[1].bytes = sections.pair.b = unpacked[1].blob;
		failed = compare_unpacked(diff, parent, &sections, unpacked, err);
		elf_unpack_close(&unpacked[1], &diff->budget);
	}
	elf_unpack_close(&unpacked[0], &diff->budget);
	return failed;
}

int elf_section_lonely(struct diff *diff, struct node *parent, const struct elf_section *section,
	int side, struct error *err)
{
	const char *name = *section->name ? section->name : "no name";
	struct node *node = node_new(name, kind_of(section, section)->format);

	if (node) {
		node->ignored = compare_ignores(diff, name);
		if (node_say(node, LEVEL_DIFFERENT, NULL, "only in %s, %llu bytes",
			    side ? "B" : "A", (number)section->size) == 0 &&
			node_add(parent, node) == 0)
			return 0;
	}
	return error_set(err, ENOMEM, "cannot compare %s", name);
}
