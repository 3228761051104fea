/* Thread areas: the first one is part of the image, further ones come from a pool at a fixed
 * address. */
#include "guest/clock.h"
#include "guest/exact.h"
#include "guest/pool.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/turn.h"

static struct {
	_Alignas(4096) unsigned char area[THREAD_AREA_BYTES];
	unsigned char stack[THREAD_STACK_BYTES];
	unsigned char signal[THREAD_SIGNAL_BYTES];
} first __attribute__((used));

/* The first thread starts on the stack it later uses for calls. */
__asm__(".globl start_stack_top\n.set start_stack_top, first + 0x8000\n");
_Static_assert(THREAD_AREA_BYTES + THREAD_STACK_BYTES == 0x8000, "start_stack_top");

#define THREADS 32768
static uint32_t busy[THREADS];
static uint8_t mapped[THREADS];
static struct pool areas = {
	.address = AREA_ADDRESS,
	.bytes = THREAD_BYTES,
	.limit = THREADS,
	.busy = busy,
	.mapped = mapped,
};

static struct thread *thread_lay_out(void *memory)
{
	const struct machine *machine = &process.arena->config.machine;
	struct thread *thread = memory;

	thread->enter_syscall = (uint64_t)enter_syscall;
	thread->enter_insn = (uint64_t)enter_insn;
	thread->self = thread;
	thread->stack = (uint64_t)memory + THREAD_AREA_BYTES + THREAD_STACK_BYTES;
	thread->pass = process.pass;
	thread->step = machine->step;
	thread->zero_sec[0] = machine->epoch;
	thread->zero_nsec[0] = machine->epoch_nsec;
	thread->zero_sec[1] = (int64_t)(CLOCK_UP_AT_START / (uint64_t)NSEC_PER_SEC);
	exact_prepare(&thread->exact);
	return thread;
}

struct thread *thread_first(void)
{
	return thread_lay_out(&first);
}

void thread_pass_nothing(struct thread *thread)
{
	if (threads_matter())
		thread->pass = process.arena->pass[2];
}

struct thread *thread_allocate(void)
{
	uint32_t *place;
	void *memory = pool_take(&areas, &place);
	struct thread *thread;

	if (!memory)
		return NULL;
	memset(memory, 0, sizeof(struct thread));
	thread = thread_lay_out(memory);
	thread->busy = place;
	return thread;
}

void thread_free(struct thread *thread)
{
	if (thread->busy)
		__atomic_store_n(thread->busy, 0, __ATOMIC_RELEASE);
}

void thread_forget_others(struct thread *self)
{
	pool_keep_only(&areas, self->busy);
}

struct kernel_stack thread_signal_stack(const struct thread *thread)
{
	return (struct kernel_stack){
		.base = thread->stack,
		.flags = (int32_t)SS_AUTODISARM,
		.size = THREAD_SIGNAL_BYTES,
	};
}

void thread_use(struct thread *thread)
{
	struct kernel_stack stack = thread_signal_stack(thread);

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
