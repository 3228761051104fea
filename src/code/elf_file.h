/*
 * Reading an x86-64 ELF file that nobody vouches for: every access is checked against the file's
 * size, and nothing is followed that the file does not contain. Knows segments and sections, and
 * nothing of instructions.
 */
#ifndef STET_CODE_ELF_FILE_H
#define STET_CODE_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_PAGE 4096ull

struct elf_file {
	const uint8_t *bytes;
	size_t size;
	Elf64_Ehdr header;
	Elf64_Phdr text; /* the largest executable PT_LOAD, its p_filesz clipped to the file */
	uint64_t lowest; /* page-aligned address of the lowest PT_LOAD */
	uint64_t code_address,
		code_size; /* .text, or the whole of `text` when there are no sections */
};

/* False when it is no ELF program or library of x86-64, or has no executable segment to work on. */
bool elf_open(struct elf_file *file, const void *bytes, size_t size);

/* The file's bytes for an address, or NULL when fewer than `need` of them come from the file. */
const uint8_t *elf_at(const struct elf_file *file, uint64_t address, uint64_t need);

/* How many bytes from `address` on come from the file without a break; 0 when none does. */
uint64_t elf_extent(const struct elf_file *file, uint64_t address);

/* The first program header of a type. */
bool elf_segment(const struct elf_file *file, uint32_t type, Elf64_Phdr *segment);

/* Section `index`; false when the file does not hold its header, or not all of its contents. */
bool elf_section(const struct elf_file *file, unsigned index, Elf64_Shdr *section);

/* The section with a name. */
bool elf_section_named(const struct elf_file *file, const char *name, Elf64_Shdr *section);

static inline bool elf_in_text(const struct elf_file *file, uint64_t address)
{
	return address >= file->text.p_vaddr && address - file->text.p_vaddr < file->text.p_filesz;
}

static inline const uint8_t *elf_text(const struct elf_file *file)
{
	return file->bytes + file->text.p_offset;
}

#endif
