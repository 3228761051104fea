#include "code/glance.h"

#include "code/insn.h"

#define RUNS 4

/* Decodes from `begin` on; the result is the instruction that covers `address`. */
static struct insn covering(const struct elf_file *file, uint64_t begin, uint64_t address)
{
	uint64_t text = file->text.p_vaddr, end = text + file->text.p_filesz;
	struct insn insn;

	for (uint64_t at = begin;; at += insn.length) {
		if (!insn_decode(&insn, elf_text(file) + (at - text), end - at, at))
			insn = (struct insn){ .address = at, .length = 1, .kind = INSN_ORDINARY };
		if (at + insn.length > address)
			return insn;
	}
}

static struct insn look(const struct elf_file *file, uint64_t address, unsigned run)
{
	uint64_t into = address - file->text.p_vaddr, back = GLANCE_DISTANCE - run;

	return covering(file, address - (back < into ? back : into), address);
}

bool glance_at_site(const struct elf_file *file, uint64_t address)
{
	for (unsigned run = 0; run < RUNS; run++)
		if (look(file, address, run).kind != INSN_ORDINARY)
			return true;
	return false;
}

bool glance_at_boundary(const struct elf_file *file, uint64_t address)
{
	for (unsigned run = 0; run < RUNS; run++)
		if (look(file, address, run).address == address)
			return true;
	return false;
}
