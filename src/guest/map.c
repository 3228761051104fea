/*
 * Memory: addresses are chosen by the guest (place.h), executable files come from the code cache,
 * and the guest's own ranges are out of reach.
 */
#include "guest/clock.h"
#include "guest/code.h"
#include "guest/futex.h"
#include "guest/handlers.h"
#include "guest/place.h"
#include "guest/turn.h"

#define HUGE_PAGE   (2ul << 20)
#define GUARD_GAP   (1ul << 20) /* the kernel's below what grows downwards */
#define LOWEST_HINT 0x10000ull	/* vm.mmap_min_addr as most have it */
#define FIXED	    (MAP_FIXED | MAP_FIXED_NOREPLACE)
#define COLLISIONS  64

static long map_at(struct thread *self, uint64_t address, uint64_t flags)
{
	const struct regs *r = &self->regs;

	if ((r->rdx & PROT_EXEC) && !(flags & MAP_ANONYMOUS))
		return code_map(address, r->rsi, r->rdx, flags, (int)r->r8, r->r9);
	return sys_window(__NR_mmap, address, r->rsi, r->rdx, flags, r->r8, r->r9);
}

static long map_fixed(struct thread *self)
{
	const struct regs *r = &self->regs;
	long result;

	if (r->r10 & MAP_FIXED)
		code_forget(r->rdi, r->rsi);
	result = map_at(self, r->rdi, r->r10);
	if (placing() && !failed(result))
		place_take((uint64_t)result, PAGE_UP(r->rsi));
	return result;
}

/* At this address, which is ours. Kernels do not let MAP_SHARED_VALIDATE know of NOREPLACE. */
static long map_placed_at(struct thread *self, uint64_t address)
{
	uint64_t flags = self->regs.r10;

	return map_at(self, address,
		flags | ((flags & MAP_TYPE) == MAP_SHARED_VALIDATE ? MAP_FIXED
								   : MAP_FIXED_NOREPLACE));
}

/* The address that the program would like, if it can be had; else 0. Those of the stack cannot. */
static uint64_t hint_of(const struct regs *r, uint64_t bytes)
{
	uint64_t hint = PAGE_DOWN(r->rdi), limit = r->r10 & MAP_32BIT ? 1ull << 31 : MAPPING_TOP;

	if (!hint)
		return 0;
	if (hint < LOWEST_HINT)
		hint = LOWEST_HINT;
	if (bytes > limit || hint > limit - bytes || guest_range(hint, bytes))
		return 0;
	return hint;
}

/* Large pages want memory that is aligned for them; stacks, which have an odd page more, do not. */
static struct wish wish_of(const struct regs *r, uint64_t bytes)
{
	bool anonymous = r->r10 & MAP_ANONYMOUS;
	bool library = !anonymous && !(r->rdx & PROT_WRITE) && (r->r10 & MAP_TYPE) == MAP_PRIVATE &&
		       r->r9 == 0;

	return (struct wish){
		.bytes = bytes,
		.alignment = anonymous && bytes % HUGE_PAGE == 0 ? HUGE_PAGE : PAGE,
		.guard = library		  ? stub_guard(bytes)
			 : r->r10 & MAP_GROWSDOWN ? GUARD_GAP
						  : 0,
		.low = r->r10 & MAP_32BIT,
	};
}

/* What is there without our knowledge stays taken: the next place is another one. */
static long map_placed(struct thread *self)
{
	const struct regs *r = &self->regs;
	uint64_t bytes = PAGE_UP(r->rsi), at = hint_of(r, bytes);
	struct wish wish = wish_of(r, bytes);
	long result;

	if (!bytes || bytes < r->rsi || bytes > STACK_TOP)
		return pass_on(self); /* the kernel says what is wrong */
	if (!at || !place_claim(at, bytes))
		at = place_find(&wish);
	for (int i = 0; at && i < COLLISIONS; i++) {
		result = map_placed_at(self, at);
		if (!failed(result))
			return result;
		if (result != -EEXIST) {
			place_release(at, bytes);
			return result;
		}
		at = place_find(&wish);
	}
	return -ENOMEM;
}

/* In memory that is not its own alone every thread has to be kept back. */
static void begin_to_share(struct thread *self)
{
	clock_owner(self)->shares = 1;
	thread_pass_nothing(self);
}

/* May the memory be changed, now or after an mprotect? */
static bool is_changeable(uint64_t fd)
{
	long flags = sys(__NR_fcntl, fd, F_GETFL);

	return failed(flags) || (flags & O_ACCMODE) != O_RDONLY;
}

/* With the children that it will have, and with who else maps the same file. Who can only read it
 * shares it with those that change it, if there are any. */
static void share(struct thread *self)
{
	bool anonymous = self->regs.r10 & MAP_ANONYMOUS;
	bool changeable = anonymous || is_changeable(self->regs.r8);
	struct kernel_stat st;

	if (changeable)
		begin_to_share(self);
	if (anonymous || !threads_matter() || sys(__NR_fstat, self->regs.r8, &st))
		return;
	turn_take(self);
	if (changeable || turn_is_changed(st.dev, st.ino)) {
		begin_to_share(self);
		turn_share(self, st.dev, st.ino);
	}
	turn_leave(self, EVENT_COST);
}

long handle_mmap(struct thread *self)
{
	const struct regs *r = &self->regs;
	uint64_t flags = r->r10;

	if ((flags & FIXED) && guest_range(r->rdi, r->rsi))
		return -ENOMEM;
	if (!(flags & MAP_ANONYMOUS) && descriptor_hidden(r->r8))
		return -EBADF;
	if ((flags & MAP_TYPE) != MAP_PRIVATE)
		share(self);
	if (flags & MAP_FIXED)
		futex_forget_places();
	if (!placing())
		return flags & MAP_FIXED ? map_fixed(self) : map_at(self, r->rdi, flags);
	if ((flags & MAP_HUGETLB) && (flags & MAP_ANONYMOUS))
		return -ENOMEM; /* as on a machine that has none set aside */
	if ((flags & MAP_TYPE) > MAP_SHARED_VALIDATE)
		return -EINVAL; /* kinds that newer kernels know */
	return flags & FIXED ? map_fixed(self) : map_placed(self);
}

static long unmap(uint64_t address, uint64_t bytes)
{
	long r = sys_window(__NR_munmap, address, bytes);

	if (r)
		return r;
	code_forget(address, bytes);
	futex_forget_places();
	if (placing())
		place_release(address, PAGE_UP(bytes));
	return 0;
}

long handle_munmap(struct thread *self)
{
	uint64_t address = argument(self, 0), bytes = argument(self, 1);
	long r = 0;

	if (!guest_range(address, bytes))
		return unmap(address, bytes);
	/* For the program there is nothing in the guest's ranges, and unmapping nothing
	 * succeeds. */
	if (address < GUEST_ADDRESS)
		r = unmap(address, GUEST_ADDRESS - address);
	if (r == 0 && address + bytes > GUEST_RANGE_END)
		r = unmap(GUEST_RANGE_END, address + bytes - GUEST_RANGE_END);
	return r;
}

/* What was at the old place and is not any more, or not as much of it. */
static void moved(const struct regs *r, uint64_t to)
{
	uint64_t old = PAGE_UP(r->rsi), new = PAGE_UP(r->rdx);

	if (to == r->rdi && new < old)
		place_release(to + new, old - new);
	if (to != r->rdi && !(r->r10 & MREMAP_DONTUNMAP))
		place_release(r->rdi, old);
	place_take(to, new);
}

/* To a place of our choice. */
static long remap_elsewhere(const struct regs *r)
{
	uint64_t bytes = PAGE_UP(r->rdx);
	const struct wish wish = {
		.bytes = bytes,
		.alignment = bytes % HUGE_PAGE == 0 ? HUGE_PAGE : PAGE,
	};
	uint64_t at = place_find(&wish);
	long result;

	if (!at)
		return -ENOMEM;
	result = sys_window(__NR_mremap, r->rdi, r->rsi, r->rdx, r->r10 | MREMAP_FIXED, at);
	if (failed(result))
		place_release(at, bytes);
	return result;
}

/* Without MAYMOVE the kernel has no choice. With it, it must not have one. */
static long remap(struct thread *self)
{
	const struct regs *r = &self->regs;
	bool stays = r->rsi && !(r->r10 & MREMAP_DONTUNMAP);
	long result = -ENOMEM;

	if (!(r->r10 & MREMAP_MAYMOVE) || (r->r10 & MREMAP_FIXED) || !r->rdx ||
		PAGE_UP(r->rdx) < r->rdx || r->rdx > STACK_TOP)
		return pass_on(self);
	if (stays)
		result = sys_window(
			__NR_mremap, r->rdi, r->rsi, r->rdx, r->r10 & ~(uint64_t)MREMAP_MAYMOVE);
	return result == -ENOMEM ? remap_elsewhere(r) : result;
}

long handle_mremap(struct thread *self)
{
	const struct regs *r = &self->regs;
	long result;

	if (guest_range(r->rdi, r->rsi) || ((r->r10 & MREMAP_FIXED) && guest_range(r->r8, r->rdx)))
		return -EFAULT;
	if (!placing())
		return pass_on(self);
	result = remap(self);
	if (!failed(result))
		moved(r, (uint64_t)result);
	return result;
}

/*
 * The heap lies right behind the program, whatever distance the kernel would keep: it is an
 * ordinary mapping. (Of a program that the guest loaded, the kernel would put it behind the guest.)
 */
long handle_brk(struct thread *self)
{
	uint64_t wanted = argument(self, 0), have = PAGE_UP(process.brk_end),
		 need = PAGE_UP(wanted);

	if (!process.carried && !placing())
		return pass_on(self);
	if (wanted < process.brk_start || wanted >= GUEST_ADDRESS)
		return (long)process.brk_end;
	if (need > have) {
		if (sys(__NR_mmap, have, need - have, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (long)have)
			return (long)process.brk_end;
		place_take(have, need - have);
	}
	if (need < have) {
		sys(__NR_munmap, need, have - need);
		place_release(need, have - need);
	}
	process.brk_end = wanted;
	return (long)wanted;
}
