#include "guest/regions.h"

#include "code/format.h"
#include "guest/code.h"
#include "guest/exact.h"
#include "guest/place.h"
#include "guest/sys.h"

#define REGIONS 1024

struct region {
	uint64_t segment; /* where source_offset is mapped; 0: unused, 1: being filled */
	const struct code_slot *slot;
	const struct code_site *sites; /* mapped when first needed */
};

static struct region regions[REGIONS];
static uint32_t region_count HOT;
static bool merged_seen
	HOT; /* a program has been shown an address that only its stub can continue */

static uint64_t stubs_of(const struct region *r)
{
	return r->segment + (uint64_t)r->slot->stub_delta;
}

bool regions_know(uint64_t segment, const struct code_slot *slot)
{
	for (uint32_t i = 0; i < region_count; i++)
		if (regions[i].segment == segment && regions[i].slot == slot)
			return true;
	return false;
}

void regions_add(uint64_t segment, const struct code_slot *slot)
{
	if (regions_know(segment, slot))
		return;
	for (uint32_t i = 0; i < REGIONS; i++) {
		uint64_t none = 0;

		if (!__atomic_compare_exchange_n(&regions[i].segment, &none, 1, false,
			    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		regions[i].slot = slot;
		regions[i].sites = NULL;
		__atomic_store_n(&regions[i].segment, segment, __ATOMIC_RELEASE);
		if (i >= region_count)
			region_count = i + 1;
		return;
	}
}

void code_forget(uint64_t address, uint64_t bytes)
{
	for (uint32_t i = 0; i < region_count; i++) {
		struct region *r = &regions[i];

		if (r->segment <= 1 || address > r->segment ||
			address + bytes < r->segment + r->slot->length)
			continue;
		sys(__NR_munmap, stubs_of(r), r->slot->stub_length);
		if (r->sites)
			own_unmap((void *)r->sites, r->slot->table_length);
		__atomic_store_n(&r->segment, 0, __ATOMIC_RELEASE);
	}
}

static const struct code_site *sites_of(struct region *r)
{
	long fd, table;

	if (r->sites)
		return r->sites;
	fd = sys(__NR_openat, FD_CODE, r->slot->name, O_RDONLY | O_CLOEXEC);
	if (failed(fd))
		return NULL;
	table = own_map(r->slot->table_length, (int)fd, r->slot->table_offset);
	sys(__NR_close, fd);
	if (failed(table))
		return NULL;
	r->sites = (const struct code_site *)table;
	return r->sites;
}

/* The site whose stub contains the offset: the table ascends by stub. */
static const struct code_site *site_of_stub(
	const struct code_site *sites, uint32_t n, uint64_t stub)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (sites[middle].stub + sites[middle].stub_length <= stub)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && stub >= sites[low].stub ? &sites[low] : NULL;
}

/* The same machine state in the original code: offset from the site's instruction. */
static int64_t original_of(const struct code_site *site, uint32_t in_stub)
{
	int64_t end = (int64_t)site->patch + site->patch_length - site->site;

	for (int i = 0; i < site->places; i++)
		if (site->place[i].stub == in_stub)
			return site->place[i].original;
	if (in_stub >= site->enter && (!site->back || in_stub < site->back))
		return 0; /* about to enter the guest: stands on the instruction itself */
	if (site->back && in_stub == site->back)
		return site->kind == INSN_SYSCALL ? 2 : end;
	return end; /* the jump back */
}

bool code_is_stub(uint64_t rip)
{
	for (uint32_t i = 0; i < region_count; i++)
		if (regions[i].segment > 1 &&
			rip - stubs_of(&regions[i]) < regions[i].slot->stub_length)
			return true;
	return false;
}

/* Inside the sequence that stands for an instruction other than `syscall`: undoes what it has done
 * so far. */
static void restore(const struct thread *self, const struct code_site *site, uint64_t offset,
	struct kernel_sigcontext *context)
{
	if (site->kind == INSN_SYSCALL || offset <= site->enter || offset >= site->back)
		return;
	if (site->kind != INSN_APPROXIMATION)
		context->rcx = self->insn_rcx; /* the register may hold the way back */
	else if (offset >= site->enter + CODE_EXACT_BEGUN)
		exact_undo(&self->exact, site->kept, context->fpstate);
}

void code_normalise(struct thread *self, struct kernel_sigcontext *context)
{
	for (uint32_t i = 0; i < region_count; i++) {
		struct region *r = &regions[i];
		const struct code_site *sites, *site;
		uint64_t offset;

		if (r->segment <= 1 || context->rip - stubs_of(r) >= r->slot->stub_length)
			continue;
		offset = context->rip - stubs_of(r);
		sites = sites_of(r);
		site = sites ? site_of_stub(sites, r->slot->sites, offset) : NULL;
		if (!site)
			return;
		offset -= site->stub;
		restore(self, site, offset, context);
		context->rip =
			r->segment + site->site + (uint64_t)original_of(site, (uint32_t)offset);
		if (!site->intact)
			merged_seen = true;
		return;
	}
}

/* Where the stub stands for an original address inside the patch; 0 when it need not. */
static uint64_t stub_for(const struct region *r, const struct code_site *site, uint64_t offset)
{
	int64_t from_site = (int64_t)offset - site->site;

	if (site->intact || offset <= site->patch || offset >= site->patch + site->patch_length)
		return 0;
	if (from_site == 0)
		return stubs_of(r) + site->stub + site->enter;
	for (int i = 0; i < site->places; i++)
		if (site->place[i].original == from_site)
			return stubs_of(r) + site->stub + site->place[i].stub;
	if (site->kind == INSN_SYSCALL && from_site == 2)
		return stubs_of(r) + site->stub + site->back;
	return 0;
}

void code_denormalise(struct kernel_sigcontext *context)
{
	if (!merged_seen)
		return;
	for (uint32_t i = 0; i < region_count; i++) {
		struct region *r = &regions[i];
		uint64_t offset, stub;

		if (r->segment <= 1 || context->rip - r->segment >= r->slot->length || !sites_of(r))
			continue;
		offset = context->rip - r->segment;
		for (uint32_t s = 0; s < r->slot->sites; s++) {
			stub = stub_for(r, &r->sites[s], offset);
			if (stub) {
				context->rip = stub;
				return;
			}
		}
		return;
	}
}
