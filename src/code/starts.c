#include "code/starts.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "code/frames.h"
#include "code/insn.h"

int starts_add(struct starts *starts, const struct elf_file *file, uint64_t address, bool framed)
{
	if (!elf_in_text(file, address))
		return 0;
	if (starts->count == starts->room) {
		size_t room = starts->room ? starts->room * 2 : 1024;
		struct start *items = realloc(starts->items, room * sizeof(*items));

		if (!items)
			return -1;
		starts->items = items;
		starts->room = room;
	}
	starts->items[starts->count++] = (struct start){ address, framed };
	return 0;
}

static int add_symbols(struct starts *starts, const struct elf_file *file)
{
	Elf64_Shdr section;
	Elf64_Sym symbol;

	for (unsigned i = 0; i < file->header.e_shnum; i++) {
		if (!elf_section(file, i, &section) ||
			(section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM))
			continue;
		for (uint64_t at = 0; section.sh_size - at >= sizeof(symbol);
			at += sizeof(symbol)) {
			memcpy(&symbol, file->bytes + section.sh_offset + at, sizeof(symbol));
			unsigned type = ELF64_ST_TYPE(symbol.st_info);

			if (symbol.st_shndx == SHN_UNDEF ||
				(type != STT_FUNC && type != STT_GNU_IFUNC))
				continue;
			if (starts_add(starts, file, symbol.st_value, false))
				return -1;
		}
	}
	return 0;
}

/*
 * Go keeps a table of its functions even when stripped. From Go 1.18 on (two magic numbers since)
 * the header gives the count, the address of the text and the place of a table of offset pairs.
 */
static long add_go_functions(struct starts *starts, const struct elf_file *file)
{
	struct {
		uint32_t magic;
		uint8_t zero[2], quantum, pointer_bytes;
		uint64_t functions, files, text, names, units, file_table, pc_table, table;
	} header;
	struct {
		uint32_t entry, details;
	} function;
	Elf64_Shdr section, text;
	const uint8_t *at;

	if (!elf_section_named(file, ".gopclntab", &section) || section.sh_size < sizeof(header))
		return 0;
	at = file->bytes + section.sh_offset;
	memcpy(&header, at, sizeof(header));
	if ((header.magic != 0xfffffff0 && header.magic != 0xfffffff1) ||
		header.pointer_bytes != 8 || header.table > section.sh_size ||
		header.functions > (section.sh_size - header.table) / sizeof(function))
		return 0;
	/* Since Go 1.26 the field is no longer filled in, the text begins with its section. */
	if (!header.text && elf_section_named(file, ".text", &text))
		header.text = text.sh_addr;
	for (uint64_t i = 0; i < header.functions; i++) {
		memcpy(&function, at + header.table + i * sizeof(function), sizeof(function));
		if (starts_add(starts, file, header.text + function.entry, false))
			return -1;
	}
	return (long)header.functions;
}

static int by_address(const void *a, const void *b)
{
	const struct start *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

static void sort_and_merge(struct starts *starts)
{
	size_t kept = 0;

	if (!starts->count)
		return;
	qsort(starts->items, starts->count, sizeof(*starts->items), by_address);
	for (size_t i = 0; i < starts->count; i++) {
		if (kept && starts->items[kept - 1].address == starts->items[i].address)
			starts->items[kept - 1].framed |= starts->items[i].framed;
		else
			starts->items[kept++] = starts->items[i];
	}
	starts->count = kept;
}

/*
 * Decodes all of .text in one go, in step with the starts that are known, and takes as further
 * starts the targets of direct calls, if the decoding passed through them.
 */
static int sweep(struct starts *starts, const struct elf_file *file)
{
	cleanup_free uint8_t *boundary = NULL;
	struct starts called = { 0 };
	uint64_t begin = file->text.p_vaddr, length = file->text.p_filesz, at = 0;
	const uint8_t *bytes = elf_text(file);
	size_t known = starts->count, next = 0;
	Elf64_Shdr section;
	struct insn insn;
	int rc = 0;

	if (elf_section_named(file, ".text", &section) && elf_in_text(file, section.sh_addr) &&
		section.sh_size <= length - (section.sh_addr - begin)) {
		at = section.sh_addr - begin;
		length = at + section.sh_size;
		if (starts_add(starts, file, section.sh_addr, false))
			return -1;
	}
	boundary = calloc(length / 8 + 1, 1);
	if (!boundary)
		return -1;
	while (at < length && !rc) {
		while (next < known && starts->items[next].address <= begin + at)
			next++;
		boundary[at / 8] |= (uint8_t)(1u << at % 8);
		if (!insn_decode(&insn, bytes + at, length - at, begin + at)) {
			at++;
			continue;
		}
		if (insn.flow == FLOW_CALL && insn.target)
			rc = starts_add(&called, file, insn.target, false);
		at += insn.length;
		if (next < known && starts->items[next].address < begin + at)
			at = starts->items[next].address - begin;
	}
	for (size_t i = 0; i < called.count && !rc; i++) {
		uint64_t target = called.items[i].address - begin;

		if (target < length && boundary[target / 8] & 1u << target % 8)
			rc = starts_add(starts, file, called.items[i].address, false);
	}
	starts_free(&called);
	return rc;
}

int starts_collect(struct starts *starts, const struct elf_file *file)
{
	long framed, go;

	*starts = (struct starts){ 0 };
	framed = frames_collect(starts, file);
	go = framed < 0 ? -1 : add_go_functions(starts, file);
	if (go < 0 || add_symbols(starts, file) ||
		starts_add(starts, file, file->header.e_entry, false))
		return -1;
	sort_and_merge(starts);
	if (framed == 0 && go == 0) {
		if (sweep(starts, file))
			return -1;
		sort_and_merge(starts);
	}
	return 0;
}

void starts_free(struct starts *starts)
{
	free(starts->items);
	*starts = (struct starts){ 0 };
}

size_t starts_find(const struct starts *starts, uint64_t address)
{
	size_t low = 0, high = starts->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : starts->count;
}
