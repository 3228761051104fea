#include "code/sweep.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "code/insn.h"

/* What a sweep works on. */
struct sweep {
	const struct elf_file *file;
	const struct starts *known;
	uint64_t first, end;
	uint8_t *boundary; /* a bit per byte from `first` on: the decoding passed through it */
	struct starts named;
};

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

/* Adds what was named, if the decoding passed through it. */
static int add_named(const struct sweep *sweep, struct starts *starts)
{
	for (size_t i = 0; i < sweep->named.count; i++) {
		uint64_t address = sweep->named.items[i].address, into = address - sweep->first;

		if (address >= sweep->first && address < sweep->end &&
			sweep->boundary[into / 8] & 1u << into % 8 &&
			starts_add(starts, sweep->file, address, false))
			return -1;
	}
	return 0;
}

int sweep_collect(struct starts *starts, const struct elf_file *file)
{
	struct sweep sweep = { .file = file, .known = starts, .first = file->code_address };
	cleanup_free uint8_t *boundary = calloc(file->code_size / 8 + 1, 1);
	int rc;

	if (!boundary)
		return -1;
	sweep.end = sweep.first + file->code_size;
	sweep.boundary = boundary;
	rc = sweep_decode(&sweep);
	if (!rc)
		rc = add_named(&sweep, starts);
	starts_free(&sweep.named);
	return rc ? rc : starts_add(starts, file, sweep.first, false);
}
