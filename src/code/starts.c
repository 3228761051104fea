#include "code/starts.h"

#include <stdlib.h>
#include <string.h>

#include "code/frames.h"
#include "code/go_functions.h"
#include "code/sweep.h"

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

int starts_collect(struct starts *starts, const struct elf_file *file)
{
	uint64_t described;
	long go;

	*starts = (struct starts){ 0 };
	if (frames_collect(starts, file, &described) || add_symbols(starts, file) ||
		starts_add(starts, file, file->header.e_entry, false))
		return -1;
	go = go_functions_collect(starts, file);
	if (go < 0)
		return -1;
	sort_and_merge(starts);
	if (go > 0 || described >= file->code_size / 2)
		return 0;
	if (sweep_collect(starts, file))
		return -1;
	sort_and_merge(starts);
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
