/*
 * Files that are written through memory: their times move when they are mapped for that, and again
 * when the program says that it has written (msync) or is done (munmap). The stores between leave
 * no trace.
 */
#include "guest/ahead.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/inodes.h"
#include "guest/process.h"
#include "guest/turn.h"

#define MAPPED 64 /* further mappings move the times at their start only */

static struct mapped {
	uint64_t from, to;
	uint32_t inode; /* as in struct file; 0: free */
} mapped[MAPPED];
static uint32_t highest HOT; /* entries in use lie below */

static void remember(uint64_t address, uint64_t bytes, uint32_t inode)
{
	for (uint32_t i = 0; i < MAPPED; i++) {
		uint32_t none = 0;

		if (mapped[i].inode || !__atomic_compare_exchange_n(&mapped[i].inode, &none, inode,
					       false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		mapped[i].from = address;
		mapped[i].to = address + bytes;
		if (highest <= i)
			highest = i + 1;
		return;
	}
}

/* What is unmapped in part is taken for gone: the next mark is at the end of the other part, or
 * none. */
static void mark(struct thread *self, uint64_t address, uint64_t bytes, bool gone)
{
	for (uint32_t i = 0; i < highest; i++) {
		struct mapped *file = &mapped[i];

		if (!file->inode || file->from >= address + bytes || file->to <= address)
			continue;
		inode_mark(self, inode_at(file->inode), INODE_MTIME | INODE_CTIME);
		if (gone)
			__atomic_store_n(&file->inode, 0, __ATOMIC_RELEASE);
	}
}

static bool writes_file(const struct regs *r)
{
	return (r->rdx & PROT_WRITE) && !(r->r10 & MAP_ANONYMOUS) &&
	       (r->r10 & MAP_TYPE) != MAP_PRIVATE;
}

static long map_file(struct thread *self, struct inode *inode, bool writes)
{
	long address = handle_mmap(self);

	if (failed(address) || (process.relax & RELAX_MTIME) || !writes)
		return address;
	inode_mark(self, inode, INODE_MTIME | INODE_CTIME);
	remember((uint64_t)address, PAGE_UP(self->regs.rsi), inode_index(inode));
	return address;
}

long handle_map_file(struct thread *self)
{
	const struct regs *r = &self->regs;
	struct inode *inode = r->r10 & MAP_ANONYMOUS ? NULL : file_inode(self, (uint32_t)r->r8);
	bool writes = writes_file(r);
	long address;

	if (!inode)
		return handle_mmap(self);
	if (!turns_matter())
		return map_file(self, inode, writes);
	ahead_map(self, inode, writes);
	address = map_file(self, inode, writes);
	ahead_map(self, inode, writes);
	return address;
}

long handle_unmap_file(struct thread *self)
{
	uint64_t address = argument(self, 0), bytes = argument(self, 1);
	long r = handle_munmap(self);

	if (r == 0 && highest)
		mark(self, address, bytes, true);
	return r;
}

long handle_sync_file(struct thread *self)
{
	long r = pass_on(self);

	if (r == 0 && highest)
		mark(self, argument(self, 0), argument(self, 1), false);
	return r;
}
