/* Memory: executable files come from the code cache, and the guest's own ranges are out of reach. */
#include "guest/code.h"
#include "guest/handlers.h"
#include "guest/process.h"

long handle_mmap(struct thread *self)
{
	const struct regs *r = &self->regs;
	uint64_t flags = r->r10;

	if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) && guest_range(r->rdi, r->rsi))
		return -ENOMEM;
	if (flags & MAP_FIXED)
		code_forget(r->rdi, r->rsi);
	if (!(flags & MAP_ANONYMOUS) && descriptor_hidden(r->r8))
		return -EBADF;
	if ((r->rdx & PROT_EXEC) && !(flags & MAP_ANONYMOUS))
		return code_map(r->rdi, r->rsi, r->rdx, flags, (int)r->r8, r->r9);
	return pass_on(self);
}

long handle_munmap(struct thread *self)
{
	uint64_t address = argument(self, 0), bytes = argument(self, 1);
	long r;

	/* For the program there is nothing in the guest's ranges, and unmapping nothing succeeds. */
	if (guest_range(address, bytes)) {
		if (address < GUEST_ADDRESS)
			sys(__NR_munmap, address, GUEST_ADDRESS - address);
		if (address + bytes > GUEST_RANGE_END)
			sys(__NR_munmap, GUEST_RANGE_END, address + bytes - GUEST_RANGE_END);
		return 0;
	}
	r = pass_on(self);
	if (r == 0)
		code_forget(address, bytes);
	return r;
}

long handle_mremap(struct thread *self)
{
	const struct regs *r = &self->regs;

	if (guest_range(r->rdi, r->rsi) || ((r->r10 & MREMAP_FIXED) && guest_range(r->r8, r->rdx)))
		return -EFAULT;
	return pass_on(self);
}

/*
 * The heap of a program that the guest loaded itself: the kernel would put it behind the guest, so
 * it is an ordinary mapping behind the program.
 */
long handle_brk(struct thread *self)
{
	uint64_t wanted = argument(self, 0), have = PAGE_UP(process.brk_end),
		 need = PAGE_UP(wanted);

	if (!process.carried)
		return pass_on(self);
	if (wanted < process.brk_start || wanted >= GUEST_ADDRESS)
		return (long)process.brk_end;
	if (need > have &&
		sys(__NR_mmap, have, need - have, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (long)have)
		return (long)process.brk_end;
	if (need < have)
		sys(__NR_munmap, need, have - need);
	process.brk_end = wanted;
	return (long)wanted;
}
