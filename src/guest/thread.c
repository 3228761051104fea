/* Thread areas: the first one is part of the image, further ones come from a pool at a fixed address. */
#include "guest/sys.h"
#include "guest/process.h"

static struct {
	_Alignas(4096) unsigned char area[THREAD_AREA_BYTES];
	unsigned char stack[THREAD_STACK_BYTES];
	unsigned char signal[THREAD_SIGNAL_BYTES];
} first __attribute__((used));

/* The first thread starts on the stack it later uses for calls. */
__asm__(".globl start_stack_top\n.set start_stack_top, first + 0x8000\n");
_Static_assert(THREAD_AREA_BYTES + THREAD_STACK_BYTES == 0x8000, "start_stack_top");

#define POOL_THREADS 32768
static uint32_t pool_busy[POOL_THREADS];
static uint8_t pool_mapped[POOL_THREADS];
static uint32_t pool_used; /* areas below this index have been handed out at least once */

static struct thread *thread_lay_out(void *memory)
{
	struct thread *thread = memory;

	thread->enter_syscall = (uint64_t)enter_syscall;
	thread->enter_insn = (uint64_t)enter_insn;
	thread->self = thread;
	thread->stack = (uint64_t)memory + THREAD_AREA_BYTES + THREAD_STACK_BYTES;
	thread->pass = process.pass;
	return thread;
}

struct thread *thread_first(void)
{
	return thread_lay_out(&first);
}

static void *pool_memory(uint32_t index)
{
	uint64_t address = AREA_ADDRESS + index * THREAD_BYTES;
	long r;

	if (pool_mapped[index])
		return (void *)address;
	r = sys(__NR_mmap, address, THREAD_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (r != (long)address)
		return NULL;
	pool_mapped[index] = 1;
	return (void *)address;
}

struct thread *thread_allocate(void)
{
	for (uint32_t i = 0; i < POOL_THREADS; i++) {
		struct thread *thread;
		void *memory;

		if (__atomic_exchange_n(&pool_busy[i], 1, __ATOMIC_ACQ_REL))
			continue;
		if (i >= pool_used)
			pool_used = i + 1;
		memory = pool_memory(i);
		if (!memory) {
			pool_busy[i] = 0;
			return NULL;
		}
		memset(memory, 0, sizeof(struct thread));
		thread = thread_lay_out(memory);
		thread->busy = &pool_busy[i];
		return thread;
	}
	return NULL;
}

void thread_free(struct thread *thread)
{
	if (thread->busy)
		__atomic_store_n(thread->busy, 0, __ATOMIC_RELEASE);
}

void thread_forget_others(struct thread *self)
{
	for (uint32_t i = 0; i < pool_used; i++)
		pool_busy[i] = self->busy == &pool_busy[i];
}

void thread_use(struct thread *thread)
{
	struct kernel_stack stack = {
		.base = thread->stack,
		.flags = (int32_t)SS_AUTODISARM,
		.size = THREAD_SIGNAL_BYTES,
	};

	if (process.fsgsbase)
		__asm__ volatile("wrgsbase %0" : : "r"(thread));
	else
		sys(__NR_arch_prctl, ARCH_SET_GS, thread);
	sys(__NR_sigaltstack, &stack, 0);
}

_Noreturn void thread_end(struct thread *self, int status)
{
	static uint32_t nobody;
	sigmask_t all = ~0ull;

	sys(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, sizeof(all));
	thread_leave(self->busy ? self->busy : &nobody, status);
}
