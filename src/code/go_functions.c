#include "code/go_functions.h"

#include <string.h>

/*
 * From Go 1.18 on (with two magic numbers since) the table's header gives the count of functions,
 * the address of the text, and the place of a list of offset pairs. In a position-independent
 * program that address is only filled in when it is loaded: then there is nothing to go by.
 */
long go_functions_collect(struct starts *starts, const struct elf_file *file)
{
	struct {
		uint32_t magic;
		uint8_t zero[2], quantum, pointer_bytes;
		uint64_t functions, files, text, names, units, file_table, pc_table, table;
	} header;
	struct {
		uint32_t entry, details;
	} function;
	Elf64_Shdr section;
	const uint8_t *at;

	if (!elf_section_named(file, ".gopclntab", &section) || section.sh_size < sizeof(header))
		return 0;
	at = file->bytes + section.sh_offset;
	memcpy(&header, at, sizeof(header));
	if ((header.magic != 0xfffffff0 && header.magic != 0xfffffff1) ||
		header.pointer_bytes != 8 || !elf_in_text(file, header.text) ||
		header.table > section.sh_size ||
		header.functions > (section.sh_size - header.table) / sizeof(function))
		return 0;
	for (uint64_t i = 0; i < header.functions; i++) {
		memcpy(&function, at + header.table + i * sizeof(function), sizeof(function));
		if (starts_add(starts, file, header.text + function.entry, false))
			return -1;
	}
	return (long)header.functions;
}
