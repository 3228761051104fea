/*
 * Threads that wait in loops of many kinds are stopped at any moment. The examination must find
 * that they wait, and put them at one place; and it must not find that of threads that compute.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "guest/spin_examine.h"

#define TIMES 100

bool spin_read(void *to, uint64_t address, size_t bytes)
{
	struct iovec local = { to, bytes }, remote = { (void *)address, bytes };

	return syscall(SYS_process_vm_readv, getpid(), &local, 1ul, &remote, 1ul, 0ul) ==
	       (long)bytes;
}

/* What sanitizers keep about memory is memory as well, but not for their own eyes. */
static void write_word(uint64_t address, const uint32_t *word)
{
	struct iovec local = { (void *)word, 4 }, remote = { (void *)address, 4 };

	syscall(SYS_process_vm_writev, getpid(), &local, 1ul, &remote, 1ul, 0ul);
}

static const int places[MODEL_REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
	REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

/* What the loops wait for, and what they count. */
static atomic_int go;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_long word;
static volatile long counts[4];
static volatile int count32;
static pthread_spinlock_t spinlock;
static atomic_int entered;

static void enter(void)
{
	atomic_store(&entered, 1);
}

/* As they are: a check of overflows makes much depend on a counter. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))
#ifdef __clang__
#define UNOPTIMISED __attribute__((optnone))
#else
#define UNOPTIMISED __attribute__((optimize("O0")))
#endif

/* --- loops that wait --- */

static UNCHECKED long plain_flag(void)
{
	enter();
	while (!atomic_load(&go))
		;
	return 0;
}

static UNCHECKED long pausing(void)
{
	enter();
	while (!atomic_load_explicit(&go, memory_order_relaxed))
		__builtin_ia32_pause();
	return 0;
}

static UNCHECKED long test_and_set(void)
{
	enter();
	while (atomic_flag_test_and_set(&lock))
		;
	return 0;
}

static UNCHECKED long compare_and_swap(void)
{
	long expected;

	enter();
	do
		expected = 0;
	while (!atomic_compare_exchange_weak(&word, &expected, 1));
	return 0;
}

static UNCHECKED long library_lock(void)
{
	enter();
	pthread_spin_lock(&spinlock);
	return 0;
}

/* Looks rarely: an inner loop that ends by itself. */
static UNCHECKED long bounded_backoff(void)
{
	enter();
	while (!atomic_load(&go))
		for (volatile int i = 0; i < 20; i++)
			__builtin_ia32_pause();
	return 0;
}

static UNCHECKED __attribute__((noinline)) UNOPTIMISED int unoptimised_look(void)
{
	int seen = atomic_load(&go);

	return seen;
}

static UNCHECKED UNOPTIMISED long unoptimised(void)
{
	enter();
	while (!unoptimised_look())
		;
	return 0;
}

static UNCHECKED long counting_in_memory(void)
{
	counts[0] = 0;
	enter();
	while (!atomic_load(&go))
		counts[0]++;
	return counts[0];
}

static UNCHECKED long counting_in_register(void)
{
	long n = 0;

	enter();
	__asm__ volatile("1: movl (%1), %%eax; addq $3, %0; testl %%eax, %%eax; jz 1b"
			 : "+r"(n)
			 : "r"(&go)
			 : "eax", "cc");
	return n;
}

static UNCHECKED long counting_down_32(void)
{
	count32 = 0;
	enter();
	while (!atomic_load(&go))
		count32--;
	return count32;
}

static UNCHECKED UNOPTIMISED long counting_unoptimised(void)
{
	long n = 0;

	enter();
	while (!unoptimised_look())
		n++;
	return n;
}

/* Two counters of different steps, and a copy. */
static UNCHECKED long counting_twice(void)
{
	counts[1] = counts[2] = counts[3] = 0;
	enter();
	while (!atomic_load(&go)) {
		counts[1]++;
		counts[2] += 5;
		counts[3] = counts[1];
	}
	return counts[1] == counts[3] ? counts[2] : -1;
}

/* --- loops that do not wait --- */

static UNCHECKED long hashing(void)
{
	uint64_t h = 1;

	enter();
	while (!atomic_load(&go))
		h = h * 6364136223846793005ull + 1442695040888963407ull;
	return (long)h;
}

static UNCHECKED long counting_to_an_end(void)
{
	enter();
	for (volatile long i = 0; i < 1000000000000 && !atomic_load(&go); i++)
		;
	return 0;
}

static UNCHECKED long filling(void)
{
	static volatile char bytes[1 << 16];

	enter();
	for (size_t i = 0; !atomic_load(&go); i++)
		bytes[i % sizeof(bytes)]++;
	return 0;
}

static UNCHECKED long looking_at_the_time(void)
{
	enter();
	while (!atomic_load(&go))
		__builtin_ia32_rdtsc();
	return 0;
}

/* --- stopping them --- */

static struct examination examination;
static bool waits;
static uint64_t place; /* a hash of the registers */
static atomic_int examined;
static double longest;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void put_back(greg_t *registers)
{
	const struct model *m = &examination.model;

	for (uint32_t i = 0; i < m->cell_count; i++)
		if (m->cells[i].value != m->cells[i].original)
			write_word(m->cells[i].address, &m->cells[i].value);
	place = m->rip * 31 + m->flags;
	for (int i = 0; i < MODEL_REGISTERS; i++) {
		registers[places[i]] = (greg_t)m->registers[i];
		place = place * 0x9e3779b97f4a7c15ull + m->registers[i];
	}
	registers[REG_RIP] = (greg_t)m->rip;
	registers[REG_EFL] = (greg_t)m->flags;
}

static void asked(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct model *m = &examination.model;
	double start = now();

	(void)signal, (void)info;
	memset(m, 0, sizeof(*m));
	for (int i = 0; i < MODEL_REGISTERS; i++)
		m->registers[i] = (uint64_t)registers[places[i]];
	m->rip = (uint64_t)registers[REG_RIP];
	m->flags = (uint64_t)registers[REG_EFL];
	__asm__("movq %%fs:0, %0" : "=r"(m->fs));
	waits = spin_examine(&examination);
	if (now() - start > longest)
		longest = now() - start;
	if (waits)
		put_back(registers);
	atomic_store(&examined, 1);
	/* It has been waited for. */
	atomic_flag_clear(&lock);
	atomic_store(&word, 0);
	pthread_spin_unlock(&spinlock);
	atomic_store(&go, 1);
}

static void *run_loop(void *argument)
{
	return (void *)((long (*)(void))argument)();
}

static long stop_loop(long (*loop)(void), int delay_us)
{
	struct sigaction action = { .sa_sigaction = asked, .sa_flags = SA_SIGINFO };
	pthread_t thread;
	void *result;

	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&go, 0);
	atomic_store(&entered, 0);
	atomic_store(&examined, 0);
	atomic_flag_test_and_set(&lock);
	atomic_store(&word, 7);
	pthread_spin_trylock(&spinlock);
	assert_int_equal(pthread_create(&thread, NULL, run_loop, (void *)loop), 0);
	while (!atomic_load(&entered))
		usleep(100);
	usleep((unsigned)delay_us);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, &result);
	assert_true(examined);
	return (long)result;
}

#define NAMED(loop)                                                                                \
	{                                                                                          \
#loop, loop                                                                        \
	}

static void loops_that_wait_are_put_at_one_place(void **state)
{
	static const struct {
		const char *name;
		long (*loop)(void);
	} loops[] = { NAMED(plain_flag), NAMED(pausing), NAMED(test_and_set),
		NAMED(compare_and_swap), NAMED(library_lock), NAMED(bounded_backoff),
		NAMED(unoptimised), NAMED(counting_in_memory), NAMED(counting_in_register),
		NAMED(counting_down_32), NAMED(counting_unoptimised), NAMED(counting_twice) };

	(void)state;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		long first = 0;
		uint64_t first_place = 0;

		stop_loop(loops[i].loop, 0); /* symbols are bound */
		longest = 0;
		for (int time = 0; time < TIMES; time++) {
			long result = stop_loop(loops[i].loop, time * 37 % 400);

			if (!waits)
				fail_msg("%s was not found to wait", loops[i].name);
			if (time == 0) {
				first = result;
				first_place = place;
			}
			if (result != first || place != first_place)
				fail_msg("%s ended elsewhere: %lx, not %lx", loops[i].name, result,
					first);
		}
		printf("%-24s %16lx, at most %.0f us\n", loops[i].name, (unsigned long)first,
			longest * 1e6);
	}
}

static void loops_that_compute_are_left_alone(void **state)
{
	static const struct {
		const char *name;
		long (*loop)(void);
	} loops[] = { NAMED(hashing), NAMED(counting_to_an_end), NAMED(filling),
		NAMED(looking_at_the_time) };

	(void)state;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		longest = 0;
		for (int time = 0; time < TIMES / 4; time++) {
			stop_loop(loops[i].loop, time * 37 % 400);
			if (waits)
				fail_msg("%s was said to wait", loops[i].name);
		}
		printf("%-24s at most %.0f us\n", loops[i].name, longest * 1e6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_that_wait_are_put_at_one_place),
		cmocka_unit_test(loops_that_compute_are_left_alone),
	};

	pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
