/*
 * An ELF file that nobody vouches for, in its parts: header, program headers, sections. Both sizes
 * and byte orders. Every part is within the file, and sections together have no more bytes than
 * the file, so that looking at each takes no longer than that.
 */
#ifndef STET_DIFF_ELF_PARTS_H
#define STET_DIFF_ELF_PARTS_H

#include <elf.h>

#include "diff/compare.h"

struct elf_section {
	const char *name; /* ends within the string table; "" for none */
	uint32_t type, link, info;
	uint64_t flags, address, offset, size, alignment, entry_size;
	struct blob bytes; /* none for SHT_NOBITS */
	size_t index;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_size, memory_size, alignment;
};

struct elf {
	const struct blob *blob;
	bool wide, big; /* 64 bits; big-endian */
	unsigned type, machine, abi, abi_version;
	uint64_t version, entry, flags;
	uint64_t segments_at, sections_at; /* their tables */
	struct elf_segment *segments;
	size_t segment_count;
	struct elf_section *sections; /* the first is the empty one of index 0 */
	size_t section_count;
};

/* NOT_THIS when it is damaged, COMPARE_FAILED without memory. To be released in any case. */
enum compared elf_parts_read(
	struct elf *elf, const struct blob *blob, uint64_t most, struct error *err);
void elf_parts_release(struct elf *elf);

/* A number in the file's byte order. */
uint64_t elf_number(const struct elf *elf, const struct blob *bytes, uint64_t at, unsigned count);
/* One as wide as the file's addresses are. */
uint64_t elf_word(const struct elf *elf, const struct blob *bytes, uint64_t at);

/* The name of a section by its index, or of what such a number stands for; never NULL. */
const char *elf_section_name(const struct elf *elf, uint64_t index);
/* The first of this type; NULL for none. */
const struct elf_section *elf_section_typed(const struct elf *elf, uint32_t type);
/* A section of this index, and of this type; NULL for none. */
const struct elf_section *elf_section_linked(const struct elf *elf, uint64_t index, uint32_t type);

/* A text that ends within the bytes, and soon; NULL for none. */
const char *elf_string(const struct blob *strings, uint64_t at);

#endif
