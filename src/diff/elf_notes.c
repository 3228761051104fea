#include "diff/elf_notes.h"

#include <errno.h>
#include <string.h>

#include "diff/cause.h"
#include "diff/printable.h"

#define GO_BUILD_ID 4 /* of notes by "Go" */
#define HEADER	    12

struct note {
	struct blob name, description;
	uint32_t type;
};

/* The note at `at`, which goes behind it; false when it is not whole. */
static bool next_note(const struct elf_part *part, uint64_t *at, struct note *note)
{
	uint64_t align = part->section->alignment == 8 ? 8 : 4;
	uint64_t name = elf_number(part->elf, &part->bytes, *at, 4);
	uint64_t description = elf_number(part->elf, &part->bytes, *at + 4, 4);
	uint64_t start = (*at + HEADER + name + align - 1) / align * align;

	if (part->bytes.size - *at < HEADER || start > part->bytes.size ||
		description > part->bytes.size - start)
		return false;
	note->name = blob_part(&part->bytes, *at + HEADER, name, NULL);
	note->description = blob_part(&part->bytes, start, description, NULL);
	note->type = (uint32_t)elf_number(part->elf, &part->bytes, *at + 8, 4);
	*at = (start + description + align - 1) / align * align;
	if (*at > part->bytes.size)
		*at = part->bytes.size;
	return true;
}

static bool is_build_id(const struct note *note)
{
	return (note->type == NT_GNU_BUILD_ID && note->name.size == 4 &&
		       blob_has(&note->name, 0, "GNU", 4)) ||
	       (note->type == GO_BUILD_ID && note->name.size == 3 &&
		       blob_has(&note->name, 0, "Go", 3));
}

static bool is_text(const struct blob *bytes)
{
	for (uint64_t i = 0; i + 1 < bytes->size; i++)
		if (bytes->data[i] < ' ' || bytes->data[i] >= 0x7f)
			return false;
	return bytes->size > 1;
}

static void put_note(const struct note *note, FILE *out)
{
	const struct blob *bytes = &note->description;
	uint64_t name = note->name.size;

	if (name && !note->name.data[name - 1])
		name--;
	printable_put(out, (const char *)note->name.data, name);
	if (is_build_id(note))
		fputs(" build id: ", out);
	else
		fprintf(out, " type %u: ", note->type);
	if (is_text(bytes))
		printable_put(out, (const char *)bytes->data,
			bytes->size - !bytes->data[bytes->size - 1]);
	else
		for (uint64_t i = 0; i < bytes->size; i++)
			fprintf(out, "%02x", bytes->data[i]);
	fputc('\n', out);
}

static bool put_notes(const struct elf_part *part, FILE *out, bool ids, bool others)
{
	struct note note;

	for (uint64_t at = 0; at < part->bytes.size;) {
		if (!next_note(part, &at, &note))
			return false;
		if (is_build_id(&note) ? ids : others)
			put_note(&note, out);
	}
	return true;
}

static bool lines_of_ids(const struct elf_part *part, FILE *out)
{
	return put_notes(part, out, true, false);
}

static bool lines_of_others(const struct elf_part *part, FILE *out)
{
	return put_notes(part, out, false, true);
}

/* What was said from `first` on makes build ids differ, and nothing else. */
static void weigh_ids(struct node *node, size_t first)
{
	node->level = LEVEL_BITS;
	for (size_t i = 0; i < node->finding_count; i++) {
		struct finding *finding = &node->findings[i];

		if (i >= first) {
			finding->level = LEVEL_CONTENT;
			finding->cause = CAUSE_BUILD_ID;
		}
		if (node->level < finding->level)
			node->level = finding->level;
	}
}

enum compared elf_notes_compare(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	enum compared others = elf_lines_compare(diff, node, parts, lines_of_others, NULL, err),
		      ids;
	size_t first = node->finding_count;

	if (others == COMPARE_FAILED)
		return others;
	ids = elf_lines_compare(diff, node, parts, lines_of_ids, NULL, err);
	weigh_ids(node, first);
	return ids == NOT_THIS ? others : ids;
}
