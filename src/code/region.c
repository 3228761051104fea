#include "code/region.h"

#include <stdlib.h>
#include <string.h>

#include "code/glance.h"

/* A list of switch targets: distances of 4 bytes from itself, or addresses of 8 bytes. */
struct region_table {
	uint64_t address;
	bool absolute;
};

enum trace { TRACE_NO_MEMORY = -1, TRACE_COLLISION = 0, TRACE_FINE = 1 };

#define LOCK_PREFIX   0xf0
#define SHORT_REACH   130  /* how far a jump with an 8-bit distance gets, its own bytes included */
#define TABLES	      1024 /* per region; one that has more, and jumps through one, is not proven */
#define TABLE_ENTRIES 65536
#define REGION_BYTES  (16u << 20) /* no function is longer */

static bool grow(void *items, size_t count, size_t *room, size_t size)
{
	size_t wanted = *room ? *room * 2 : 64;
	void *bigger;

	if (count < *room)
		return true;
	bigger = realloc(*(void **)items, wanted * size);
	if (!bigger)
		return false;
	*(void **)items = bigger;
	*room = wanted;
	return true;
}

static bool inside(const struct region *region, uint64_t address)
{
	return address >= region->address && address - region->address < region->length;
}

static int follow_later(struct region *region, uint64_t address)
{
	if (!inside(region, address))
		return TRACE_FINE;
	if (!grow(&region->pending, region->pending_count, &region->pending_room,
		    sizeof(*region->pending)))
		return TRACE_NO_MEMORY;
	region->marks[address - region->address] |= MARK_TARGET;
	region->pending[region->pending_count++] = (uint32_t)(address - region->address);
	return TRACE_FINE;
}

static int note_site(struct region *region, const struct insn *insn)
{
	if (!grow(&region->sites, region->site_count, &region->site_room, sizeof(*region->sites)))
		return TRACE_NO_MEMORY;
	region->sites[region->site_count++] = *insn;
	return TRACE_FINE;
}

static bool table_known_at(const struct region *region, uint64_t address, bool absolute)
{
	for (size_t i = 0; i < region->table_count; i++)
		if (region->tables[i].address == address && region->tables[i].absolute == absolute)
			return true;
	return false;
}

static int note_table(struct region *region, uint64_t address, bool absolute)
{
	if (region->table_count == TABLES || table_known_at(region, address, absolute))
		return TRACE_FINE;
	if (!grow(&region->tables, region->table_count, &region->table_room,
		    sizeof(*region->tables)))
		return TRACE_NO_MEMORY;
	region->tables[region->table_count++] = (struct region_table){ address, absolute };
	return TRACE_FINE;
}

/* Hand-written atomics jump past a lock prefix when there is one thread: not a collision. */
static bool skips_lock(const struct region *region, uint32_t offset)
{
	return offset > 0 && region->length_at[offset - 1] &&
	       region->bytes[offset - 1] == LOCK_PREFIX;
}

static int claim(struct region *region, uint32_t offset, const struct insn *insn)
{
	uint32_t end = offset + insn->length;

	for (uint32_t i = offset + 1; i < end; i++) {
		bool locked = i == offset + 1 && region->bytes[offset] == LOCK_PREFIX &&
			      region->length_at[i] == insn->length - 1;

		if (region->length_at[i] && !locked)
			return TRACE_COLLISION;
	}
	region->length_at[offset] = insn->length;
	for (uint32_t i = offset + 1; i < end; i++)
		region->marks[i] |= MARK_INSIDE;
	return TRACE_FINE;
}

static int note(struct region *region, const struct insn *insn)
{
	int rc = TRACE_FINE;

	if (insn->kind != INSN_ORDINARY)
		rc = note_site(region, insn);
	if (rc == TRACE_FINE && insn->table)
		rc = note_table(region, insn->table, true);
	if (rc == TRACE_FINE && insn->table && !insn->table_absolute)
		rc = note_table(region, insn->table, false);
	if (rc == TRACE_FINE && insn->target && insn->flow != FLOW_CALL)
		rc = follow_later(region, insn->target);
	if (insn->flow == FLOW_INDIRECT)
		region->indirect = true;
	return rc;
}

/* Follows one straight line. A call may be the last thing a function does, whatever lies
 * behind it. */
static int follow(struct region *region, uint32_t offset)
{
	bool after_call = false;
	struct insn insn;
	int rc;

	while (offset < region->length) {
		if (region->length_at[offset])
			return TRACE_FINE;
		if (region->marks[offset] & MARK_INSIDE)
			return skips_lock(region, offset) ? TRACE_FINE : TRACE_COLLISION;
		if (!insn_decode(&insn, region->bytes + offset, region->length - offset,
			    region->address + offset))
			return after_call ? TRACE_FINE : TRACE_COLLISION;
		rc = claim(region, offset, &insn);
		if (rc == TRACE_FINE)
			rc = note(region, &insn);
		if (rc != TRACE_FINE)
			return rc;
		if (insn.flow >= FLOW_JUMP)
			return TRACE_FINE;
		after_call = insn.flow == FLOW_CALL;
		offset += insn.length;
	}
	return TRACE_FINE;
}

static int follow_pending(struct region *region)
{
	int rc = TRACE_FINE;

	while (rc == TRACE_FINE && region->pending_count)
		rc = follow(region, region->pending[--region->pending_count]);
	return rc;
}

static bool table_entry(const struct region *region, const struct region_table *table, size_t index,
	uint64_t *target)
{
	size_t width = table->absolute ? 8 : 4;
	const uint8_t *at = elf_at(region->file, table->address + index * width, width);
	int32_t distance;

	if (!at)
		return false;
	if (table->absolute) {
		memcpy(target, at, 8);
	} else {
		memcpy(&distance, at, 4);
		*target = table->address + (uint64_t)(int64_t)distance;
	}
	return elf_in_text(region->file, *target);
}

/*
 * Where a list ends is not written anywhere: it is read for as long as its entries make sense. An
 * entry that leads into the middle of a known instruction is no longer part of it.
 */
static int follow_table(struct region *region, struct region_table table)
{
	uint64_t target;
	int rc = TRACE_FINE;

	for (size_t i = 0; i < TABLE_ENTRIES && table_entry(region, &table, i, &target); i++) {
		if (i > 0 && table_known_at(region, table.address + i * (table.absolute ? 8 : 4),
				     table.absolute))
			break;
		if (!inside(region, target))
			continue;
		if (region->marks[target - region->address] & MARK_INSIDE)
			break;
		rc = follow_later(region, target);
		if (rc == TRACE_FINE)
			rc = follow_pending(region);
		if (rc != TRACE_FINE)
			break;
	}
	return rc;
}

static int follow_tables(struct region *region)
{
	int rc = TRACE_FINE;

	for (size_t i = 0; rc == TRACE_FINE && i < region->table_count; i++)
		rc = follow_table(region, region->tables[i]);
	/* Were there more, then targets are missing. */
	return rc == TRACE_FINE && region->table_count == TABLES ? TRACE_COLLISION : rc;
}

static void mark_outside(struct region *region, const struct addresses *outside)
{
	size_t low = 0, high = outside->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (outside->items[middle] < region->address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < outside->count && inside(region, outside->items[low]); low++)
		region->marks[outside->items[low] - region->address] |= MARK_TARGET;
}

/* Bytes next to the region that may be short jumps into it: hand-written code does such things. */
static void mark_short_jumps(struct region *region, uint64_t from, uint64_t to)
{
	const uint8_t *text = elf_text(region->file);
	uint64_t first = region->file->text.p_vaddr;

	for (uint64_t at = from; at + 1 < to; at++) {
		const uint8_t *bytes = text + (at - first);
		uint64_t target = at + 2 + (uint64_t)(int64_t)(int8_t)bytes[1];

		if (((bytes[0] & 0xf0) == 0x70 || bytes[0] == 0xeb || (bytes[0] & 0xfc) == 0xe0) &&
			inside(region, target) && glance_at_boundary(region->file, at))
			region->marks[target - region->address] |= MARK_TARGET;
	}
}

static void mark_neighbours(struct region *region)
{
	uint64_t first = region->file->text.p_vaddr, last = first + region->file->text.p_filesz;
	uint64_t begin = region->address, end = begin + region->length;

	mark_short_jumps(region, begin - first > SHORT_REACH ? begin - SHORT_REACH : first, begin);
	mark_short_jumps(region, end, last - end > SHORT_REACH ? end + SHORT_REACH : last);
}

static int by_address(const void *a, const void *b)
{
	const struct insn *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

int region_trace(struct region *region, const struct elf_file *file, uint64_t address, uint64_t end,
	const struct addresses *outside)
{
	int rc;

	*region = (struct region){
		.file = file,
		.bytes = elf_text(file) + (address - file->text.p_vaddr),
		.address = address,
		.length = (uint32_t)(end - address),
	};
	if (end - address > REGION_BYTES)
		return TRACE_COLLISION;
	region->length_at = calloc(region->length, 1);
	region->marks = calloc(region->length, 1);
	if (!region->length_at || !region->marks)
		return TRACE_NO_MEMORY;
	mark_outside(region, outside);
	mark_neighbours(region);
	rc = follow(region, 0);
	if (rc == TRACE_FINE)
		rc = follow_pending(region);
	if (rc == TRACE_FINE && region->indirect)
		rc = follow_tables(region);
	if (region->site_count)
		qsort(region->sites, region->site_count, sizeof(*region->sites), by_address);
	return rc;
}

void region_free(struct region *region)
{
	free(region->length_at);
	free(region->marks);
	free(region->sites);
	free(region->pending);
	free(region->tables);
	*region = (struct region){ 0 };
}

bool region_insn(const struct region *region, uint32_t offset, struct insn *insn)
{
	return offset < region->length && region->length_at[offset] &&
	       insn_decode(insn, region->bytes + offset, region->length_at[offset],
		       region->address + offset);
}

bool region_insn_before(const struct region *region, uint32_t offset, struct insn *insn)
{
	uint32_t found = 0, count = 0;

	for (uint32_t back = 1; back <= 15 && back <= offset; back++) {
		if (region->length_at[offset - back] != back)
			continue;
		found = offset - back;
		count++;
	}
	return count == 1 && region_insn(region, found, insn);
}
