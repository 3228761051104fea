#include "diff/elf_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STRING_MOST (64u << 10) /* of a name: many that end far away would take long */

uint64_t elf_number(const struct elf *elf, const struct blob *bytes, uint64_t at, unsigned count)
{
	return elf->big ? blob_be(bytes, at, count) : blob_le(bytes, at, count);
}

uint64_t elf_word(const struct elf *elf, const struct blob *bytes, uint64_t at)
{
	return elf_number(elf, bytes, at, elf->wide ? 8 : 4);
}

const char *elf_string(const struct blob *strings, uint64_t at)
{
	uint64_t left = at < strings->size ? strings->size - at : 0;

	if (!left || !memchr(strings->data + at, '\0', left < STRING_MOST ? left : STRING_MOST))
		return NULL;
	return (const char *)strings->data + at;
}

const char *elf_section_name(const struct elf *elf, uint64_t index)
{
	if (index == SHN_UNDEF)
		return "undefined";
	if (index < elf->section_count)
		return elf->sections[index].name;
	return index == SHN_ABS ? "absolute" : index == SHN_COMMON ? "common" : "elsewhere";
}

const struct elf_section *elf_section_typed(const struct elf *elf, uint32_t type)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (elf->sections[i].type == type)
			return &elf->sections[i];
	return NULL;
}

const struct elf_section *elf_section_linked(const struct elf *elf, uint64_t index, uint32_t type)
{
	return index && index < elf->section_count && elf->sections[index].type == type
		       ? &elf->sections[index]
		       : NULL;
}

/* Where a header has its fields: those of 32 and of 64 bits. */
struct place {
	unsigned char at[2];
};

static uint64_t half(const struct elf *elf, struct place place)
{
	return elf_number(elf, elf->blob, place.at[elf->wide], 2);
}

static uint64_t word(const struct elf *elf, struct place place)
{
	return elf_word(elf, elf->blob, place.at[elf->wide]);
}

/* What stands in section 0 when the header has no room for it. */
struct counts {
	uint64_t sections, segments, names;
};

static bool read_header(struct elf *elf, struct counts *counts)
{
	static const struct place entry = { { 24, 24 } }, segments = { { 28, 32 } },
				  sections = { { 32, 40 } }, flags = { { 36, 48 } },
				  own_size = { { 40, 52 } }, segment_size = { { 42, 54 } },
				  segment_count = { { 44, 56 } }, section_size = { { 46, 58 } },
				  section_count = { { 48, 60 } }, names = { { 50, 62 } };

	elf->type = (unsigned)elf_number(elf, elf->blob, 16, 2);
	elf->machine = (unsigned)elf_number(elf, elf->blob, 18, 2);
	elf->version = elf_number(elf, elf->blob, 20, 4);
	elf->abi = elf->blob->data[EI_OSABI];
	elf->abi_version = elf->blob->data[EI_ABIVERSION];
	elf->entry = word(elf, entry);
	elf->segments_at = word(elf, segments);
	elf->sections_at = word(elf, sections);
	elf->flags = elf_number(elf, elf->blob, flags.at[elf->wide], 4);
	*counts = (struct counts){ half(elf, section_count), half(elf, segment_count),
		half(elf, names) };
	return half(elf, own_size) == (elf->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)) &&
	       (!counts->segments || half(elf, segment_size) == (elf->wide ? sizeof(Elf64_Phdr)
									   : sizeof(Elf32_Phdr))) &&
	       (!elf->sections_at || half(elf, section_size) ==
					     (elf->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)));
}

static bool is_within(const struct blob *blob, uint64_t at, uint64_t count, uint64_t bytes)
{
	return at <= blob->size && count <= (blob->size - at) / bytes;
}

static void read_section(const struct elf *elf, struct elf_section *section)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	const struct blob header =
		blob_part(elf->blob, elf->sections_at + section->index * bytes, bytes, NULL);
	unsigned wide = elf->wide ? 8 : 4, at = 8 + 4 * wide;

	section->type = (uint32_t)elf_number(elf, &header, 4, 4);
	section->flags = elf_word(elf, &header, 8);
	section->address = elf_word(elf, &header, 8 + wide);
	section->offset = elf_word(elf, &header, 8 + 2 * wide);
	section->size = elf_word(elf, &header, 8 + 3 * wide);
	section->link = (uint32_t)elf_number(elf, &header, at, 4);
	section->info = (uint32_t)elf_number(elf, &header, at + 4, 4);
	section->alignment = elf_word(elf, &header, at + 8);
	section->entry_size = elf_word(elf, &header, at + 8 + wide);
	section->bytes = blob_part(elf->blob, section->offset,
		section->type == SHT_NOBITS || section->type == SHT_NULL ? 0 : section->size, NULL);
}

static void read_segment(const struct elf *elf, struct elf_segment *segment, size_t index)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	const struct blob header =
		blob_part(elf->blob, elf->segments_at + index * bytes, bytes, NULL);
	unsigned wide = elf->wide ? 8 : 4, at = elf->wide ? 8 : 4;

	segment->type = (uint32_t)elf_number(elf, &header, 0, 4);
	segment->flags = (uint32_t)elf_number(elf, &header, elf->wide ? 4 : 24, 4);
	segment->offset = elf_word(elf, &header, at);
	segment->address = elf_word(elf, &header, at + wide);
	segment->physical = elf_word(elf, &header, at + 2 * wide);
	segment->file_size = elf_word(elf, &header, at + 3 * wide);
	segment->memory_size = elf_word(elf, &header, at + 4 * wide);
	segment->alignment = elf_word(elf, &header, elf->wide ? 48 : 28);
}

static bool name_sections(struct elf *elf, uint64_t names)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	const struct elf_section *table = elf_section_linked(elf, names, SHT_STRTAB);

	for (size_t i = 1; i < elf->section_count; i++) {
		uint64_t at = elf_number(elf, elf->blob, elf->sections_at + i * bytes, 4);

		elf->sections[i].name = table ? elf_string(&table->bytes, at) : "";
		if (!elf->sections[i].name)
			return false;
	}
	return true;
}

/* The number of sections may stand in section 0, with others. */
static bool complete_counts(const struct elf *elf, struct counts *counts)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct elf_section first = { 0 };

	if (!elf->sections_at)
		return !counts->sections;
	if (!is_within(elf->blob, elf->sections_at, 1, bytes))
		return false;
	read_section(elf, &first);
	if (!counts->sections)
		counts->sections = first.size;
	if (counts->names == SHN_XINDEX)
		counts->names = first.link;
	if (counts->segments == PN_XNUM)
		counts->segments = first.info;
	return is_within(elf->blob, elf->sections_at, counts->sections, bytes);
}

static enum compared read_sections(struct elf *elf, const struct counts *counts, struct error *err)
{
	uint64_t all = 0;

	elf->sections = calloc(counts->sections + 1, sizeof(*elf->sections));
	if (!elf->sections)
		return error_set(err, ENOMEM, "cannot read sections"), COMPARE_FAILED;
	elf->section_count = counts->sections;
	for (size_t i = 0; i < elf->section_count; i++) {
		struct elf_section *section = &elf->sections[i];

		*section = (struct elf_section){ .name = "", .index = i };
		read_section(elf, section);
		if (section->type == SHT_NOBITS || section->type == SHT_NULL)
			continue;
		all += section->bytes.size;
		if (section->bytes.size != section->size || all > elf->blob->size)
			return NOT_THIS;
	}
	return name_sections(elf, counts->names) ? COMPARED : NOT_THIS;
}

static enum compared read_segments(struct elf *elf, const struct counts *counts, struct error *err)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	if (!is_within(elf->blob, elf->segments_at, counts->segments, bytes))
		return NOT_THIS;
	elf->segments = calloc(counts->segments + 1, sizeof(*elf->segments));
	if (!elf->segments)
		return error_set(err, ENOMEM, "cannot read program headers"), COMPARE_FAILED;
	elf->segment_count = counts->segments;
	for (size_t i = 0; i < elf->segment_count; i++)
		read_segment(elf, &elf->segments[i], i);
	return COMPARED;
}

enum compared elf_parts_read(
	struct elf *elf, const struct blob *blob, uint64_t most, struct error *err)
{
	struct counts counts;
	enum compared read;

	*elf = (struct elf){ .blob = blob };
	if (blob->size < sizeof(Elf32_Ehdr))
		return NOT_THIS;
	elf->wide = blob->data[EI_CLASS] == ELFCLASS64;
	elf->big = blob->data[EI_DATA] == ELFDATA2MSB;
	if (elf->wide && blob->size < sizeof(Elf64_Ehdr))
		return NOT_THIS;
	if (!read_header(elf, &counts) || !complete_counts(elf, &counts) || counts.sections > most)
		return NOT_THIS;
	read = read_segments(elf, &counts, err);
	return read == COMPARED ? read_sections(elf, &counts, err) : read;
}

void elf_parts_release(struct elf *elf)
{
	free(elf->segments);
	free(elf->sections);
	*elf = (struct elf){ 0 };
}
