#include "code/patch.h"

#include <string.h>

#define JUMP_BYTES	  5 /* jmp rel32 */
#define BRANCH_BYTES	  6 /* jcc rel32 */
#define SYSCALL_BYTES	  2
#define ENTER_SYSCALL	  15 /* lea, jmp *%gs: */
#define ENTER_INSN	  28 /* mov, lea, jmp *%gs:, four bytes of description */
#define OPCODE_JUMP	  0xe9
#define OPCODE_BREAKPOINT 0xcc

/* Bytes that a copied instruction takes in the stub. */
static uint8_t copied_length(const struct insn *insn)
{
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

static bool fits(struct patch *patch)
{
	unsigned bytes = patch->site.kind == INSN_SYSCALL ? ENTER_SYSCALL : ENTER_INSN;
	unsigned places = patch->before_count + patch->after_count + needs_return(patch);

	for (unsigned i = 0; i < patch->before_count; i++)
		bytes += copied_length(&patch->before[i]);
	for (unsigned i = 0; i < patch->after_count; i++)
		bytes += copied_length(&patch->after[i]);
	if (patch->site.kind == INSN_SYSCALL && !patch->intact)
		bytes += SYSCALL_BYTES;
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

/* Instructions behind the site which may be copied; the last one may leave the straight line. */
static unsigned line_behind(
	const struct region *region, const struct insn *site, struct insn line[PATCH_AFTER])
{
	uint64_t at = site->address + site->length;
	unsigned count = 0;

	while (count < PATCH_AFTER) {
		struct insn *insn = &line[count];

		if (!region_insn(region, (uint32_t)(at - region->address), insn) ||
			!(insn->movable || insn->rejoinable) ||
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

struct emitter {
	uint8_t *stub;
	uint64_t address;
	unsigned at;
	bool in_reach;
	struct code_site *entry;
};

static void put(struct emitter *emitter, const void *bytes, size_t count)
{
	memcpy(emitter->stub + emitter->at, bytes, count);
	emitter->at += (unsigned)count;
}

#define PUT(emitter, ...)                                                                          \
	put(emitter, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void put_word(struct emitter *emitter, uint32_t value)
{
	put(emitter, &value, sizeof(value));
}

static int32_t distance(struct emitter *emitter, uint64_t from, uint64_t to)
{
	int64_t bytes = (int64_t)(to - from);

	if (bytes != (int32_t)bytes)
		emitter->in_reach = false;
	return (int32_t)bytes;
}

/* A distance that ends its instruction. */
static void put_distance(struct emitter *emitter, uint64_t target)
{
	uint64_t end = emitter->address + emitter->at + 4;

	put_word(emitter, (uint32_t)distance(emitter, end, target));
}

static void add_place(struct emitter *emitter, int64_t original)
{
	emitter->entry->place[emitter->entry->places++] =
		(struct code_place){ (uint8_t)emitter->at, (int8_t)original };
}

static void put_jump(struct emitter *emitter, uint64_t target)
{
	PUT(emitter, OPCODE_JUMP);
	put_distance(emitter, target);
}

static void put_copy(struct emitter *emitter, const struct insn *insn, const uint8_t *bytes,
	uint64_t site_address)
{
	uint8_t *copy = emitter->stub + emitter->at;
	uint64_t end = emitter->address + emitter->at + insn->length;

	add_place(emitter, (int64_t)(insn->address - site_address));
	if (insn->rejoinable && insn->flow == FLOW_JUMP) {
		put_jump(emitter, insn->target);
	} else if (insn->rejoinable) {
		PUT(emitter, 0x0f, 0x80 | insn->condition);
		put_distance(emitter, insn->target);
	} else {
		put(emitter, bytes, insn->length);
		if (insn->rip_field) {
			int32_t field = distance(emitter, end, insn->reference);

			memcpy(copy + insn->rip_field, &field, sizeof(field));
		}
	}
}

/* lea BACK(%rip), %rcx; jmp *%gs:entry */
static void put_enter(struct emitter *emitter, uint64_t back, uint32_t entry)
{
	PUT(emitter, 0x48, 0x8d, 0x0d);
	put_distance(emitter, back);
	PUT(emitter, 0x65, 0xff, 0x24, 0x25);
	put_word(emitter, entry);
}

static void put_enter_syscall(struct emitter *emitter, const struct patch *patch)
{
	uint64_t behind = emitter->address + emitter->at + ENTER_SYSCALL + SYSCALL_BYTES;

	if (patch->intact) {
		put_enter(emitter, patch->site.address + patch->site.length, GS_ENTER_SYSCALL);
		return;
	}
	put_enter(emitter, behind, GS_ENTER_SYSCALL);
	PUT(emitter, 0x0f, 0x05);
	emitter->entry->back = (uint8_t)emitter->at;
}

static void put_enter_insn(struct emitter *emitter, const struct insn *site)
{
	uint64_t behind = emitter->address + emitter->at + ENTER_INSN;

	PUT(emitter, 0x65, 0x48, 0x89, 0x0c, 0x25); /* mov %rcx, %gs:GS_INSN_RCX */
	put_word(emitter, GS_INSN_RCX);
	put_enter(emitter, behind, GS_ENTER_INSN);
	PUT(emitter, site->kind, site->reg, site->operand_bytes, 0);
	emitter->entry->back = (uint8_t)emitter->at;
}

/* Puts the jump to the stub over the bytes that give way; what is left of them is never reached. */
static void overwrite(struct emitter *emitter, const struct patch *patch, uint8_t *bytes)
{
	int32_t field = distance(emitter, patch->begin + JUMP_BYTES, emitter->address);

	memset(bytes, OPCODE_BREAKPOINT, patch->length);
	bytes[0] = OPCODE_JUMP;
	memcpy(bytes + 1, &field, sizeof(field));
}

bool patch_emit(const struct patch *patch, uint8_t *text, uint64_t text_address, uint8_t *stub,
	uint64_t stub_address, struct code_site *entry)
{
	struct emitter emitter = { stub, stub_address, 0, true, entry };
	const struct insn *site = &patch->site;

	*entry = (struct code_site){
		.site = (uint32_t)(site->address - text_address),
		.patch = (uint32_t)(patch->begin - text_address),
		.patch_length = patch->length,
		.stub_length = patch->stub_length,
		.kind = site->kind,
		.intact = patch->intact,
	};
	for (unsigned i = 0; i < patch->before_count; i++)
		put_copy(&emitter, &patch->before[i],
			text + (patch->before[i].address - text_address), site->address);
	entry->enter = (uint8_t)emitter.at;
	if (site->kind == INSN_SYSCALL)
		put_enter_syscall(&emitter, patch);
	else
		put_enter_insn(&emitter, site);
	for (unsigned i = 0; i < patch->after_count; i++)
		put_copy(&emitter, &patch->after[i],
			text + (patch->after[i].address - text_address), site->address);
	if (site->kind == INSN_XBEGIN) {
		put_jump(&emitter, site->target);
	} else if (needs_return(patch)) {
		add_place(&emitter, (int64_t)(patch->begin + patch->length - site->address));
		put_jump(&emitter, patch->begin + patch->length);
	}
	overwrite(&emitter, patch, text + (patch->begin - text_address));
	return emitter.in_reach;
}
