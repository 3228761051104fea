#include "code/patch.h"

#include <string.h>

#include "code/emitter.h"
#include "code/exact.h"

#define JUMP_BYTES	  5 /* jmp rel32 */
#define BRANCH_BYTES	  6 /* jcc rel32 */
#define SYSCALL_BYTES	  2
#define ENTER_SYSCALL	  15 /* lea, jmp *%gs: */
#define ENTER_INSN	  28 /* mov, lea, jmp *%gs:, four bytes of description */
#define OPCODE_JUMP	  0xe9
#define OPCODE_BREAKPOINT 0xcc

/* Bytes that a copied instruction takes in the stub. */
static unsigned copied_length(const struct insn *insn)
{
	if (insn->kind == INSN_APPROXIMATION)
		return exact_length(insn);
	if (!insn->rejoinable)
		return insn->length;
	return insn->flow == FLOW_JUMP ? JUMP_BYTES : BRANCH_BYTES;
}

/* After these nothing in the stub is reached any more. */
static bool leaves(const struct insn *insn)
{
	return insn->flow == FLOW_JUMP || insn->flow == FLOW_RETURN;
}

/* The jump back to the original code is needed unless the stub has left already. */
static bool needs_return(const struct patch *patch)
{
	if (patch->intact || patch->site.kind == INSN_XBEGIN)
		return false;
	return !patch->after_count || !leaves(&patch->after[patch->after_count - 1]);
}

/* Bytes that stand for the site itself. */
static unsigned site_length(const struct patch *patch)
{
	switch (patch->site.kind) {
	case INSN_SYSCALL:
		return ENTER_SYSCALL + (patch->intact ? 0 : SYSCALL_BYTES);
	case INSN_APPROXIMATION:
		return exact_length(&patch->site);
	default:
		return ENTER_INSN;
	}
}

static bool fits(struct patch *patch)
{
	unsigned bytes = site_length(patch);
	unsigned places = patch->before_count + patch->after_count + needs_return(patch);

	for (unsigned i = 0; i < patch->before_count; i++)
		bytes += copied_length(&patch->before[i]);
	for (unsigned i = 0; i < patch->after_count; i++)
		bytes += copied_length(&patch->after[i]);
	if (needs_return(patch) || patch->site.kind == INSN_XBEGIN)
		bytes += JUMP_BYTES;
	patch->stub_length = (uint8_t)bytes;
	return bytes <= UINT8_MAX && places <= CODE_PLACES;
}

/* Something may jump to one of these bytes. */
static bool targeted(const struct region *region, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at++)
		if (region->marks[at - region->address] & MARK_TARGET)
			return true;
	return false;
}

/*
 * Collects up to PATCH_BEFORE instructions that run in a straight line into the site. The nearest
 * is the last element of line[]; those in front of the returned count are not filled in.
 */
static unsigned line_before(const struct region *region, const struct insn *site, uint64_t floor,
	struct insn line[PATCH_BEFORE])
{
	uint64_t at = site->address;
	unsigned count = 0;

	while (count < PATCH_BEFORE) {
		struct insn *insn = &line[PATCH_BEFORE - 1 - count];

		if (!region_insn_before(region, (uint32_t)(at - region->address), insn) ||
			insn->flow != FLOW_NEXT || !insn->movable || insn->address < floor)
			break;
		at = insn->address;
		count++;
	}
	return count;
}

/* Instructions behind the site which may be copied, or are computed in its stub, too; the last one
 * may leave the straight line. */
static unsigned line_behind(
	const struct region *region, const struct insn *site, struct insn line[PATCH_AFTER])
{
	uint64_t at = site->address + site->length;
	unsigned count = 0;

	while (count < PATCH_AFTER) {
		struct insn *insn = &line[count];

		if (!region_insn(region, (uint32_t)(at - region->address), insn) ||
			!(insn->movable || insn->rejoinable || insn->kind == INSN_APPROXIMATION) ||
			targeted(region, at, at + insn->length))
			break;
		count++;
		at += insn->length;
		if (insn->flow != FLOW_NEXT)
			break;
	}
	return count;
}

/*
 * The bytes that give way lie before the site, which stays as it is. A jump to somewhere between
 * them and the site finds the original instructions there, and traps; that is right, but slow.
 */
static bool plan_intact(struct patch *patch, const struct region *region, const struct insn *site,
	const struct insn *line, unsigned count, bool targets_allowed)
{
	*patch = (struct patch){ .site = *site, .intact = true };
	for (unsigned n = 1; n <= count; n++) {
		const struct insn *insn = &line[PATCH_BEFORE - n];
		uint64_t end = insn->address + insn->length;

		if (!targets_allowed && targeted(region, end, end + 1))
			return false;
		if (insn->length < JUMP_BYTES)
			continue;
		if (targeted(region, insn->address + 1, end))
			return false;
		patch->begin = insn->address;
		patch->length = insn->length;
		patch->before_count = (uint8_t)n;
		memcpy(patch->before, insn, n * sizeof(*insn));
		return fits(patch);
	}
	return false;
}

/* Takes a window around the site when it is long enough for a jump and shorter than the last. */
static void try_window(struct patch *patch, const struct insn *line, unsigned before,
	const struct insn *behind, unsigned after)
{
	uint64_t begin = before ? line[PATCH_BEFORE - before].address : patch->site.address;
	uint64_t end = after ? behind[after - 1].address + behind[after - 1].length
			     : patch->site.address + patch->site.length;

	if (end - begin < JUMP_BYTES || (patch->length && end - begin >= patch->length))
		return;
	patch->begin = begin;
	patch->length = (uint8_t)(end - begin);
	patch->before_count = (uint8_t)before;
	patch->after_count = (uint8_t)after;
}

/* The bytes that give way include the site: the smallest window that nothing jumps into. */
static bool plan_merged(struct patch *patch, const struct region *region, const struct insn *site,
	const struct insn *line, unsigned count)
{
	struct insn behind[PATCH_AFTER];
	unsigned after_count = line_behind(region, site, behind);
	uint64_t site_end = site->address + site->length;

	*patch = (struct patch){ .site = *site };
	if (targeted(region, site->address + 1, site_end))
		return false;
	for (unsigned before = 0; before <= count; before++) {
		const struct insn *first = &line[PATCH_BEFORE - before];

		if (before &&
			targeted(region, first->address + 1, first->address + first->length + 1))
			break;
		for (unsigned after = 0; after <= after_count; after++)
			try_window(patch, line, before, behind, after);
	}
	if (!patch->length)
		return false;
	memcpy(patch->before, &line[PATCH_BEFORE - patch->before_count],
		patch->before_count * sizeof(*line));
	memcpy(patch->after, behind, patch->after_count * sizeof(*behind));
	return fits(patch);
}

bool patch_plan(
	struct patch *patch, const struct region *region, const struct insn *site, uint64_t floor)
{
	struct insn line[PATCH_BEFORE];
	unsigned count;

	if (site->address < floor)
		return false;
	count = line_before(region, site, floor, line);
	if (site->kind == INSN_SYSCALL && plan_intact(patch, region, site, line, count, false))
		return true;
	if (plan_merged(patch, region, site, line, count))
		return true;
	return site->kind == INSN_SYSCALL && plan_intact(patch, region, site, line, count, true);
}

unsigned patch_sites(const struct patch *patch)
{
	unsigned count = 1;

	for (unsigned i = 0; i < patch->after_count; i++)
		count += patch->after[i].kind == INSN_APPROXIMATION;
	return count;
}

/* What a patch is written with. */
struct writer {
	struct emitter emitter;
	const struct patch *patch;
	const uint8_t *text;
	uint64_t text_address;
	struct code_site *entry; /* of the site whose part of the stub is being written */
};

static const uint8_t *bytes_of(const struct writer *writer, const struct insn *insn)
{
	return writer->text + (insn->address - writer->text_address);
}

static uint8_t offset_in_entry(const struct writer *writer)
{
	return (uint8_t)(writer->emitter.at - writer->entry->stub);
}

static void begin_entry(struct writer *writer, struct code_site *entry, const struct insn *site)
{
	*entry = (struct code_site){
		.site = (uint32_t)(site->address - writer->text_address),
		.patch = (uint32_t)(writer->patch->begin - writer->text_address),
		.stub = writer->emitter.at,
		.patch_length = writer->patch->length,
		.kind = site->kind,
		.intact = writer->patch->intact,
	};
	writer->entry = entry;
}

static void end_entry(struct writer *writer)
{
	writer->entry->stub_length = offset_in_entry(writer);
}

static void add_place(struct writer *writer, uint64_t original)
{
	struct code_site *entry = writer->entry;
	int64_t from_site = (int64_t)(original - writer->text_address - entry->site);

	entry->place[entry->places++] =
		(struct code_place){ offset_in_entry(writer), (int8_t)from_site };
}

static void put_jump(struct emitter *emitter, uint64_t target)
{
	PUT(emitter, OPCODE_JUMP);
	emitter_put_distance(emitter, target);
}

static void put_copy(struct writer *writer, const struct insn *insn)
{
	struct emitter *emitter = &writer->emitter;

	add_place(writer, insn->address);
	if (insn->rejoinable && insn->flow == FLOW_JUMP) {
		put_jump(emitter, insn->target);
	} else if (insn->rejoinable) {
		PUT(emitter, 0x0f, 0x80 | insn->condition);
		emitter_put_distance(emitter, insn->target);
	} else {
		emitter_put_copy(emitter, insn, bytes_of(writer, insn));
	}
}

/* lea BACK(%rip), %rcx; jmp *%gs:entry */
static void put_enter(struct emitter *emitter, uint64_t back, uint32_t entry)
{
	PUT(emitter, 0x48, 0x8d, 0x0d);
	emitter_put_distance(emitter, back);
	PUT(emitter, 0x65, 0xff, 0x24, 0x25);
	emitter_put_word(emitter, entry);
}

static void put_enter_syscall(struct writer *writer)
{
	struct emitter *emitter = &writer->emitter;
	const struct patch *patch = writer->patch;
	uint64_t behind = emitter->address + emitter->at + ENTER_SYSCALL + SYSCALL_BYTES;

	if (patch->intact) {
		put_enter(emitter, patch->site.address + patch->site.length, GS_ENTER_SYSCALL);
		return;
	}
	put_enter(emitter, behind, GS_ENTER_SYSCALL);
	PUT(emitter, 0x0f, 0x05);
	writer->entry->back = offset_in_entry(writer);
}

static void put_enter_insn(struct writer *writer, const struct insn *site)
{
	struct emitter *emitter = &writer->emitter;
	uint64_t behind = emitter->address + emitter->at + ENTER_INSN;

	PUT(emitter, 0x65, 0x48, 0x89, 0x0c, 0x25); /* mov %rcx, %gs:GS_INSN_RCX */
	emitter_put_word(emitter, GS_INSN_RCX);
	put_enter(emitter, behind, GS_ENTER_INSN);
	PUT(emitter, site->kind, site->reg, site->operand_bytes, 0);
	writer->entry->back = offset_in_entry(writer);
}

/* The instruction of the entry that was begun last. */
static void put_site(struct writer *writer, const struct insn *site)
{
	writer->entry->enter = offset_in_entry(writer);
	switch (site->kind) {
	case INSN_SYSCALL:
		put_enter_syscall(writer);
		break;
	case INSN_APPROXIMATION:
		exact_emit(&writer->emitter, site, bytes_of(writer, site));
		writer->entry->back = offset_in_entry(writer);
		writer->entry->kept = exact_kept(site);
		break;
	default:
		put_enter_insn(writer, site);
		break;
	}
}

static void put_after(struct writer *writer, const struct insn *insn)
{
	if (insn->kind != INSN_APPROXIMATION) {
		put_copy(writer, insn);
		return;
	}
	end_entry(writer);
	begin_entry(writer, writer->entry + 1, insn);
	put_site(writer, insn);
}

/* Puts the jump to the stub over the bytes that give way; what is left of them is never reached. */
static void overwrite(struct emitter *emitter, const struct patch *patch, uint8_t *bytes)
{
	int32_t field = emitter_distance(emitter, patch->begin + JUMP_BYTES, emitter->address);

	memset(bytes, OPCODE_BREAKPOINT, patch->length);
	bytes[0] = OPCODE_JUMP;
	memcpy(bytes + 1, &field, sizeof(field));
}

bool patch_emit(const struct patch *patch, uint8_t *text, uint64_t text_address, uint8_t *stub,
	uint64_t stub_address, struct code_site entries[PATCH_SITES])
{
	struct writer writer = {
		.emitter = { stub, stub_address, 0, true },
		.patch = patch,
		.text = text,
		.text_address = text_address,
	};
	uint64_t end = patch->begin + patch->length;

	begin_entry(&writer, entries, &patch->site);
	for (unsigned i = 0; i < patch->before_count; i++)
		put_copy(&writer, &patch->before[i]);
	put_site(&writer, &patch->site);
	for (unsigned i = 0; i < patch->after_count; i++)
		put_after(&writer, &patch->after[i]);
	if (patch->site.kind == INSN_XBEGIN) {
		put_jump(&writer.emitter, patch->site.target);
	} else if (needs_return(patch)) {
		add_place(&writer, end);
		put_jump(&writer.emitter, end);
	}
	end_entry(&writer);
	overwrite(&writer.emitter, patch, text + (patch->begin - text_address));
	return writer.emitter.in_reach;
}
