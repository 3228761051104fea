#include "code/elf_file.h"

#include <string.h>

#define SEGMENTS 128 /* far more than any linker makes; they are searched again and again */

static bool range_inside(const struct elf_file *file, uint64_t offset, uint64_t length)
{
	return offset <= file->size && length <= file->size - offset;
}

static bool program_header(const struct elf_file *file, unsigned index, Elf64_Phdr *segment)
{
	uint64_t offset = file->header.e_phoff + (uint64_t)index * sizeof(*segment);

	if (file->header.e_phoff > file->size || !range_inside(file, offset, sizeof(*segment)))
		return false;
	memcpy(segment, file->bytes + offset, sizeof(*segment));
	return true;
}

/* Addresses near the top of the address space would overflow later sums; no real file has them. */
static bool segment_sane(const Elf64_Phdr *segment)
{
	const uint64_t limit = 1ull << 47;

	return segment->p_vaddr < limit && segment->p_memsz < limit && segment->p_filesz < limit &&
	       segment->p_filesz <= segment->p_memsz &&
	       segment->p_vaddr % CODE_PAGE == segment->p_offset % CODE_PAGE;
}

static bool find_text(struct elf_file *file)
{
	bool found = false;
	Elf64_Phdr segment;

	file->lowest = UINT64_MAX;
	for (unsigned i = 0; i < file->header.e_phnum && program_header(file, i, &segment); i++) {
		if (segment.p_type != PT_LOAD)
			continue;
		if (!segment_sane(&segment))
			return false;
		if ((segment.p_vaddr & -CODE_PAGE) < file->lowest)
			file->lowest = segment.p_vaddr & -CODE_PAGE;
		if (!(segment.p_flags & PF_X) || segment.p_offset >= file->size)
			continue;
		if (segment.p_filesz > file->size - segment.p_offset)
			segment.p_filesz = file->size - segment.p_offset;
		if (found && segment.p_filesz <= file->text.p_filesz)
			continue;
		file->text = segment;
		found = segment.p_filesz > 0;
	}
	return found;
}

static void find_code(struct elf_file *file)
{
	uint64_t end = file->text.p_vaddr + file->text.p_filesz;
	Elf64_Shdr section;

	file->code_address = file->text.p_vaddr;
	file->code_size = file->text.p_filesz;
	if (elf_section_named(file, ".text", &section) && elf_in_text(file, section.sh_addr) &&
		section.sh_size <= end - section.sh_addr) {
		file->code_address = section.sh_addr;
		file->code_size = section.sh_size;
	}
}

bool elf_open(struct elf_file *file, const void *bytes, size_t size)
{
	const Elf64_Ehdr *header = &file->header;

	*file = (struct elf_file){ .bytes = bytes, .size = size };
	if (size < sizeof(*header))
		return false;
	memcpy(&file->header, bytes, sizeof(*header));
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
		header->e_ident[EI_CLASS] != ELFCLASS64 ||
		header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_X86_64)
		return false;
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return false;
	if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > SEGMENTS)
		return false;
	if (!find_text(file))
		return false;
	find_code(file);
	return true;
}

uint64_t elf_extent(const struct elf_file *file, uint64_t address)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < file->header.e_phnum && program_header(file, i, &segment); i++) {
		uint64_t into = address - segment.p_vaddr;

		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
			into >= segment.p_filesz || segment.p_offset > file->size ||
			into >= file->size - segment.p_offset)
			continue;
		uint64_t in_file = file->size - segment.p_offset - into;
		uint64_t in_segment = segment.p_filesz - into;

		return in_file < in_segment ? in_file : in_segment;
	}
	return 0;
}

const uint8_t *elf_at(const struct elf_file *file, uint64_t address, uint64_t need)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < file->header.e_phnum && program_header(file, i, &segment); i++) {
		uint64_t into = address - segment.p_vaddr;

		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
			into >= segment.p_filesz || need > segment.p_filesz - into)
			continue;
		if (segment.p_offset > file->size || into > file->size - segment.p_offset)
			continue;
		if (range_inside(file, segment.p_offset + into, need))
			return file->bytes + segment.p_offset + into;
	}
	return NULL;
}

bool elf_segment(const struct elf_file *file, uint32_t type, Elf64_Phdr *segment)
{
	for (unsigned i = 0; i < file->header.e_phnum && program_header(file, i, segment); i++)
		if (segment->p_type == type)
			return true;
	return false;
}

bool elf_section(const struct elf_file *file, unsigned index, Elf64_Shdr *section)
{
	uint64_t offset = file->header.e_shoff + (uint64_t)index * sizeof(*section);

	if (index >= file->header.e_shnum || file->header.e_shentsize != sizeof(*section) ||
		file->header.e_shoff > file->size || !range_inside(file, offset, sizeof(*section)))
		return false;
	memcpy(section, file->bytes + offset, sizeof(*section));
	return section->sh_type == SHT_NOBITS ||
	       range_inside(file, section->sh_offset, section->sh_size);
}

bool elf_section_named(const struct elf_file *file, const char *name, Elf64_Shdr *section)
{
	size_t length = strlen(name) + 1;
	Elf64_Shdr names;

	if (!elf_section(file, file->header.e_shstrndx, &names) || names.sh_type == SHT_NOBITS)
		return false;
	for (unsigned i = 0; i < file->header.e_shnum; i++) {
		if (!elf_section(file, i, section) || section->sh_name >= names.sh_size ||
			names.sh_size - section->sh_name < length)
			continue;
		if (!memcmp(file->bytes + names.sh_offset + section->sh_name, name, length))
			return section->sh_type != SHT_NOBITS;
	}
	return false;
}
