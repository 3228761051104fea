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

/* What a sweep works on. */
struct sweep {
	const struct elf_file *file;
	const struct starts *known;
	uint64_t first, end;
	uint8_t *boundary; /* a bit per byte from `first` on: the decoding passed through it */
	struct starts named;
};

/* Limits it to .text, or to the whole segment when there are no sections. */
static void sweep_limit(struct sweep *sweep)
{
	const Elf64_Phdr *text = &sweep->file->text;
	Elf64_Shdr section;

	sweep->first = text->p_vaddr;
	sweep->end = text->p_vaddr + text->p_filesz;
	if (elf_section_named(sweep->file, ".text", &section) &&
		elf_in_text(sweep->file, section.sh_addr) &&
		section.sh_size <= sweep->end - section.sh_addr) {
		sweep->first = section.sh_addr;
		sweep->end = section.sh_addr + section.sh_size;
	}
}

/* Functions are called, have their address taken, or are jumped to from another function. */
static int note_named(struct sweep *sweep, const struct insn *insn)
{
	uint64_t target = insn->target;

	if (insn->table && !insn->table_absolute)
		target = insn->table;
	else if (insn->flow == FLOW_JUMP &&
		 starts_find(sweep->known, target) == starts_find(sweep->known, insn->address))
		return 0;
	else if (insn->flow != FLOW_CALL && insn->flow != FLOW_JUMP)
		return 0;
	return starts_add(&sweep->named, sweep->file, target, false);
}

/* Decodes in one go, in step with the starts that are known. */
static int sweep_decode(struct sweep *sweep)
{
	const struct starts *known = sweep->known;
	const uint8_t *bytes = elf_text(sweep->file) - sweep->file->text.p_vaddr + sweep->first;
	uint64_t at = sweep->first;
	struct insn insn;
	size_t next = 0;

	while (at < sweep->end) {
		uint64_t into = at - sweep->first;

		while (next < known->count && known->items[next].address <= at)
			next++;
		sweep->boundary[into / 8] |= (uint8_t)(1u << into % 8);
		if (!insn_decode(&insn, bytes + into, sweep->end - at, at)) {
			at++;
			continue;
		}
		if (note_named(sweep, &insn))
			return -1;
		at += insn.length;
		if (next < known->count && known->items[next].address < at)
			at = known->items[next].address;
	}
	return 0;
}

/* Adds to a file's starts the functions that its code names, if the decoding agrees. */
static int sweep_add(struct sweep *sweep, struct starts *starts)
{
	cleanup_free uint8_t *boundary = calloc((sweep->end - sweep->first) / 8 + 1, 1);
	int rc;

	sweep->boundary = boundary;
	rc = boundary ? sweep_decode(sweep) : -1;
	for (size_t i = 0; i < sweep->named.count && !rc; i++) {
		uint64_t address = sweep->named.items[i].address, into = address - sweep->first;

		if (address >= sweep->first && address < sweep->end &&
			boundary[into / 8] & 1u << into % 8)
			rc = starts_add(starts, sweep->file, address, false);
	}
	starts_free(&sweep->named);
	return rc ? rc : starts_add(starts, sweep->file, sweep->first, false);
}

int starts_collect(struct starts *starts, const struct elf_file *file)
{
	struct sweep sweep = { .file = file, .known = starts };
	uint64_t described;
	long go;

	*starts = (struct starts){ 0 };
	if (frames_collect(starts, file, &described) || add_symbols(starts, file) ||
		starts_add(starts, file, file->header.e_entry, false))
		return -1;
	go = add_go_functions(starts, file);
	if (go < 0)
		return -1;
	sort_and_merge(starts);
	sweep_limit(&sweep);
	if (go == 0 && described < (sweep.end - sweep.first) / 2) {
		if (sweep_add(&sweep, starts))
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
