#include "diff/dwarf_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[DWARF_KINDS] = {
	[DWARF_ABBREV] = "debug_abbrev",
	[DWARF_STR] = "debug_str",
	[DWARF_LINE_STR] = "debug_line_str",
	[DWARF_STR_OFFSETS] = "debug_str_offsets",
	[DWARF_ADDR] = "debug_addr",
};

/* Relocations that make a number of a symbol's address: those of 4 and of 8 bytes. Machines whose
 * relocations have no addend of their own have it in place already, and need none here. */
static const struct machine {
	unsigned machine;
	uint32_t types[3];
} machines[] = {
	{ EM_X86_64, { R_X86_64_64, R_X86_64_32, R_X86_64_32S } },
	{ EM_AARCH64, { R_AARCH64_ABS64, R_AARCH64_ABS32 } },
	{ EM_PPC64, { R_PPC64_ADDR64, R_PPC64_ADDR32 } },
	{ EM_S390, { R_390_64, R_390_32 } },
	{ EM_RISCV, { R_RISCV_64, R_RISCV_32 } },
};

static const struct machine *find_machine(unsigned number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == number)
			return &machines[i];
	return NULL;
}

static bool is_known(const struct machine *machine, uint64_t type)
{
	for (size_t i = 0; i < sizeof(machine->types) / sizeof(machine->types[0]); i++)
		if (machine->types[i] && machine->types[i] == type)
			return true;
	return false;
}

static uint64_t symbol_value(
	const struct elf *elf, const struct elf_section *table, uint64_t number)
{
	uint64_t bytes = elf->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	return number < table->bytes.size / bytes
		       ? elf_word(elf, &table->bytes, number * bytes + (elf->wide ? 8 : 4))
		       : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct dwarf_relocation *one = a, *other = b;

	return (one->at > other->at) - (one->at < other->at);
}

static enum compared read_relocations(struct dwarf_section *section,
	const struct elf_section *relocations, const struct machine *machine, struct error *err)
{
	const struct elf *elf = section->elf;
	const struct elf_section *symbols = elf_section_linked(elf, relocations->link, SHT_SYMTAB);
	unsigned word = elf->wide ? 8 : 4;
	uint64_t count = relocations->bytes.size / (3 * word);

	if (!symbols)
		return NOT_THIS;
	section->relocations = calloc(count + 1, sizeof(*section->relocations));
	if (!section->relocations)
		return error_set(err, ENOMEM, "cannot read relocations"), COMPARE_FAILED;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = 3 * word * i, info = elf_word(elf, &relocations->bytes, at + word);
		uint64_t symbol = elf->wide ? ELF64_R_SYM(info) : info >> 8;

		if (!is_known(machine, elf->wide ? ELF64_R_TYPE(info) : info & 0xff))
			continue;
		section->relocations[section->relocation_count++] = (struct dwarf_relocation){
			elf_word(elf, &relocations->bytes, at),
			symbol_value(elf, symbols, symbol) +
				elf_word(elf, &relocations->bytes, at + 2 * word),
		};
	}
	qsort(section->relocations, section->relocation_count, sizeof(*section->relocations),
		by_place);
	return COMPARED;
}

static enum compared relocate(
	struct dwarf_section *section, const struct elf_section *header, struct error *err)
{
	const struct elf *elf = section->elf;
	const struct machine *machine = find_machine(elf->machine);

	if (elf->type != ET_REL)
		return COMPARED;
	for (size_t i = 1; i < elf->section_count; i++)
		if (elf->sections[i].type == SHT_RELA && elf->sections[i].info == header->index)
			return machine ? read_relocations(section, &elf->sections[i], machine, err)
				       : NOT_THIS;
	return COMPARED;
}

static bool is_named(const struct elf_section *section, const char *name)
{
	const char *own = section->name;

	return strcmp(own + (strncmp(own, ".z", 2) == 0 ? 2 : *own == '.'), name) == 0;
}

const struct elf_section *dwarf_find_section(const struct elf *elf, const char *name)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (is_named(&elf->sections[i], name))
			return &elf->sections[i];
	return NULL;
}

static enum compared open_other(
	struct dwarf *dwarf, enum dwarf_kind kind, struct budget *budget, struct error *err)
{
	struct dwarf_section *section = &dwarf->others[kind];
	const struct elf_section *header = dwarf_find_section(section->elf, names[kind]);

	if (!header)
		return COMPARED;
	if (elf_unpack(&dwarf->unpacked[kind], section->elf, header, budget, err))
		return COMPARE_FAILED;
	section->bytes = dwarf->unpacked[kind].blob;
	return relocate(section, header, err);
}

enum compared dwarf_open(
	struct dwarf *dwarf, const struct elf_part *part, struct budget *budget, struct error *err)
{
	const struct blob none = blob_part(part->elf->blob, 0, 0, NULL);
	enum compared opened;

	*dwarf = (struct dwarf){ .own = { .elf = part->elf, .bytes = part->bytes } };
	for (int i = 0; i < DWARF_KINDS; i++)
		dwarf->others[i] = (struct dwarf_section){ .elf = part->elf, .bytes = none };
	opened = relocate(&dwarf->own, part->section, err);
	for (int i = 0; i < DWARF_KINDS && opened == COMPARED; i++)
		opened = open_other(dwarf, (enum dwarf_kind)i, budget, err);
	return opened;
}

void dwarf_close(struct dwarf *dwarf, struct budget *budget)
{
	free(dwarf->own.relocations);
	for (int i = 0; i < DWARF_KINDS; i++) {
		elf_unpack_close(&dwarf->unpacked[i], budget);
		free(dwarf->others[i].relocations);
	}
}

static bool are_same(const struct dwarf_section *a, const struct dwarf_section *b)
{
	return blob_equal(&a->bytes, &b->bytes) && a->relocation_count == b->relocation_count &&
	       (!a->relocation_count ||
		       memcmp(a->relocations, b->relocations,
			       a->relocation_count * sizeof(*a->relocations)) == 0);
}

bool dwarf_refer_to_same(const struct dwarf *a, const struct dwarf *b)
{
	for (int i = 0; i < DWARF_KINDS; i++)
		if (!are_same(&a->others[i], &b->others[i]))
			return false;
	/* Of the own section the places differ with what is before, not what stands there. */
	return !a->own.relocation_count && !b->own.relocation_count;
}

const char *dwarf_text(const struct dwarf *dwarf, enum dwarf_kind kind, uint64_t at)
{
	return elf_string(&dwarf->others[kind].bytes, at);
}

const char *dwarf_numbered_text(
	const struct dwarf *dwarf, uint64_t base, uint64_t number, bool wide)
{
	const struct dwarf_section *table = &dwarf->others[DWARF_STR_OFFSETS];
	unsigned bytes = wide ? 8 : 4;
	struct dwarf_cursor cursor;
	uint64_t at;

	if (base > table->bytes.size || number > (table->bytes.size - base) / bytes)
		return NULL;
	cursor = dwarf_cursor(table, base + number * bytes, table->bytes.size);
	at = dwarf_take(&cursor, bytes);
	return cursor.bad ? NULL : dwarf_text(dwarf, DWARF_STR, at);
}
