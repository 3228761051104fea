#include "code/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "code/elf_file.h"
#include "code/glance.h"
#include "code/patch.h"
#include "code/region.h"
#include "code/scan.h"
#include "code/starts.h"

/* Programs at fixed addresses need this much below their stubs: no mapping may lie lower. */
#define LOWEST_STUB 0x20000

/* Real programs have a few thousand; a file that was made to have millions is left alone. */
#define CANDIDATES 100000

struct work {
	struct elf_file file;
	struct starts starts;
	struct addresses candidates, targets;
	struct patch *patches;
	size_t count, room;
	uint32_t sites;
	uint32_t unpatched;
	uint64_t stub_bytes;
};

static uint64_t page_up(uint64_t value)
{
	return (value + CODE_PAGE - 1) & -CODE_PAGE;
}

static int keep(struct work *work, const struct patch *patch)
{
	if (work->count == work->room) {
		size_t room = work->room ? work->room * 2 : 64;
		struct patch *patches = realloc(work->patches, room * sizeof(*patches));

		if (!patches)
			return -1;
		work->patches = patches;
		work->room = room;
	}
	work->patches[work->count++] = *patch;
	work->sites += patch_sites(patch);
	work->stub_bytes += patch->stub_length;
	return 0;
}

/*
 * Unwinders without call frame information know a signal's frame by the exact bytes of the function
 * that a handler returns to (mov $15,%rax; syscall), so those stay where they are read.
 */
static bool is_bare_trampoline(const struct region *region, const struct insn *site, bool framed)
{
	static const uint8_t move_15_rax[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0 };
	uint64_t offset = site->address - region->address;

	return !framed && site->kind == INSN_SYSCALL && offset >= sizeof(move_15_rax) &&
	       !memcmp(region->bytes + offset - sizeof(move_15_rax), move_15_rax,
		       sizeof(move_15_rax));
}

static int plan_sites(struct work *work, const struct region *region, bool framed)
{
	uint64_t floor = region->address;
	struct patch patch;

	for (size_t i = 0; i < region->site_count; i++) {
		const struct insn *site = &region->sites[i];

		if (site->address < floor) /* part of the patch before */
			continue;
		if (is_bare_trampoline(region, site, framed) ||
			!patch_plan(&patch, region, site, floor)) {
			work->unpatched++;
			continue;
		}
		if (keep(work, &patch))
			return -1;
		floor = patch.begin + patch.length;
		if (floor < site->address + site->length)
			floor = site->address + site->length;
	}
	return 0;
}

static int plan_region(struct work *work, size_t start)
{
	uint64_t end = work->file.text.p_vaddr + work->file.text.p_filesz;
	struct region region;
	int rc;

	if (start + 1 < work->starts.count)
		end = work->starts.items[start + 1].address;
	rc = region_trace(
		&region, &work->file, work->starts.items[start].address, end, &work->targets);
	if (rc > 0)
		rc = plan_sites(work, &region, work->starts.items[start].framed);
	else if (rc == 0)
		work->unpatched += (uint32_t)region.site_count;
	region_free(&region);
	return rc;
}

static bool any_plausible(const struct work *work)
{
	for (size_t i = 0; i < work->candidates.count; i++)
		if (glance_at_site(&work->file, work->candidates.items[i]))
			return true;
	return false;
}

/* Drops candidates that are parts of other instructions, as most are. A glance that reaches back
 * beyond a function's start may see data there, so it does not count. */
static void keep_plausible(struct work *work)
{
	struct addresses *candidates = &work->candidates;
	size_t kept = 0;

	for (size_t i = 0; i < candidates->count; i++) {
		uint64_t address = candidates->items[i];
		size_t start = starts_find(&work->starts, address);

		if (start < work->starts.count &&
			(address - work->starts.items[start].address < GLANCE_DISTANCE ||
				glance_at_site(&work->file, address)))
			candidates->items[kept++] = address;
	}
	candidates->count = kept;
}

/* Plans all regions in which something might be rewritten. */
static int plan(struct work *work)
{
	size_t done = SIZE_MAX;

	if (scan_candidates(&work->candidates, &work->file))
		return -1;
	if (work->candidates.count > CANDIDATES || !any_plausible(work))
		return 0;
	if (starts_collect(&work->starts, &work->file))
		return -1;
	keep_plausible(work);
	if (scan_targets(&work->targets, &work->file, &work->candidates))
		return -1;
	for (size_t i = 0; i < work->candidates.count; i++) {
		size_t start = starts_find(&work->starts, work->candidates.items[i]);

		if (start == done)
			continue;
		done = start;
		if (plan_region(work, start) < 0)
			return -1;
	}
	return 0;
}

static void lay_out(const struct work *work, struct code_header *header)
{
	const Elf64_Phdr *text = &work->file.text;
	uint64_t first = text->p_offset & -CODE_PAGE;

	*header = (struct code_header){
		.magic = CODE_MAGIC,
		.format = CODE_FORMAT,
		.sites = work->sites,
		.source_size = work->file.size,
		.source_offset = first,
		.length = page_up(text->p_offset + text->p_filesz - first),
		.copy_offset = CODE_PAGE,
		.stub_length = page_up(work->stub_bytes),
		.table_length = work->sites * sizeof(struct code_site),
	};
	header->stub_offset = header->copy_offset + header->length;
	header->table_offset = header->stub_offset + header->stub_length;
	header->file_size = header->table_offset + page_up(header->table_length);
	header->stub_delta =
		(int64_t)(work->file.lowest - header->stub_length - (text->p_vaddr & -CODE_PAGE));
}

/* A program at a fixed address has no stubs below it when it lies too low. */
static bool has_room(const struct work *work)
{
	return work->file.header.e_type != ET_EXEC ||
	       work->file.lowest >= LOWEST_STUB + page_up(work->stub_bytes);
}

static bool emit(const struct work *work, const struct code_header *header, uint8_t *image)
{
	uint64_t text_address = work->file.text.p_vaddr & -CODE_PAGE;
	uint64_t stub_address = text_address + (uint64_t)header->stub_delta;
	uint64_t available = work->file.size - header->source_offset, at = 0;
	uint8_t *text = image + header->copy_offset, *stubs = image + header->stub_offset;
	struct code_site sites[PATCH_SITES], *table;

	table = (struct code_site *)(image + header->table_offset);
	memcpy(text, work->file.bytes + header->source_offset,
		available < header->length ? available : header->length);
	memset(stubs, 0xcc, header->stub_length);
	for (size_t i = 0; i < work->count; i++) {
		if (!patch_emit(&work->patches[i], text, text_address, stubs + at,
			    stub_address + at, sites))
			return false;
		for (unsigned s = 0; s < patch_sites(&work->patches[i]); s++) {
			sites[s].stub += (uint32_t)at;
			*table++ = sites[s];
		}
		at += work->patches[i].stub_length;
	}
	return true;
}

static int assemble(const struct work *work, struct rewrite *rewrite)
{
	struct code_header header;

	lay_out(work, &header);
	rewrite->image = calloc(1, header.file_size);
	if (!rewrite->image)
		return -1;
	memcpy(rewrite->image, &header, sizeof(header));
	rewrite->size = header.file_size;
	rewrite->sites = header.sites;
	if (emit(work, &header, rewrite->image))
		return 1;
	free(rewrite->image);
	rewrite->image = NULL;
	return 0;
}

int rewrite_elf(struct rewrite *rewrite, const void *bytes, size_t size)
{
	struct work work = { 0 };
	int rc = 0;

	*rewrite = (struct rewrite){ 0 };
	if (elf_open(&work.file, bytes, size))
		rc = plan(&work);
	rewrite->unpatched = work.unpatched;
	if (rc == 0 && work.count && has_room(&work))
		rc = assemble(&work, rewrite);
	starts_free(&work.starts);
	addresses_free(&work.candidates);
	addresses_free(&work.targets);
	free(work.patches);
	return rc;
}
