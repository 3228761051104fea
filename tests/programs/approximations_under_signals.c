/* rcpps and its like, while a timer interrupts them: handlers see the state before or after one of
 * them, and use them too; each gives the same every time. */
#include <immintrin.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

#define CONTROL	       0x5f80u /* rounds up */
#define SIGNALS	       2000
#define REGISTER_WORDS 4

extern const char __executable_start[], etext[];

static const uint32_t source[8] __attribute__((aligned(32))) = { 0x40400000, 0x40a00000, 0x40e00000,
	0x41100000, 0x41300000, 0x41500000, 0x41700000, 0x41880000 };
static const uint32_t before[8] __attribute__((aligned(32))) = { 0x11111111, 0x22222222, 0x33333333,
	0x44444444, 0x55555555, 0x66666666, 0x77777777, 0x88888888 };
static volatile int running, signals, odd_places, odd_controls, odd_values, odd_in_handler;
static uint32_t results[4][8]; /* of the first round, in xmm0 to xmm3 */

/* So many times: from `before`, four instructions, in which most of the time goes by. While MXCSR
 * is CONTROL, each of the four registers is either as before or as after its instruction. */
#define START(move, a, b, c, d)                                                                    \
	move " %[before], " a "\n" move " " a ", " b "\n" move " " a ", " c "\n" move " " a ", " d \
	     "\n"
#define LOOP(start, code)                                                                          \
	start "ldmxcsr %[control]\n 1:\n" start code "\n decl %%ecx\n jnz 1b\n"                    \
	      "ldmxcsr %[plain]\n"
#define STORE(move, r)                                                                             \
	move " %%" r "mm0, 0x00(%[out])\n" move " %%" r "mm1, 0x20(%[out])\n" move " %%" r         \
	     "mm2, 0x40(%[out])\n" move " %%" r "mm3, 0x60(%[out])\n"

static void run_sse(uint32_t out[4][8], unsigned rounds)
{
	const uint32_t control = CONTROL, plain = 0x1f80;
	__asm__ volatile("movaps %[source], %%xmm9\n" LOOP(
		START("movaps", "%%xmm0", "%%xmm1", "%%xmm2", "%%xmm3"),
		"rcpps %[source], %%xmm0\n rcpss %%xmm9, %%xmm1\n"
		"rsqrtps %%xmm9, %%xmm2\n rsqrtss %[source], %%xmm3") STORE("movups", "x")
			 : "+c"(rounds)
			 : [control] "m"(control), [plain] "m"(plain), [source] "m"(source),
			 [before] "m"(before), [out] "r"(out)
			 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm9", "cc", "memory");
}

static void run_avx(uint32_t out[4][8], unsigned rounds)
{
	const uint32_t control = CONTROL, plain = 0x1f80;
	__asm__ volatile("vmovaps %[source], %%ymm9\n" LOOP(
		START("vmovaps", "%%ymm0", "%%ymm1", "%%ymm2", "%%ymm3"),
		"vrcpps %[source], %%ymm0\n vrcpss %%xmm9, %%xmm1, %%xmm1\n"
		"vrsqrtps %%ymm9, %%ymm2\n vrsqrtss %[source], %%xmm3, %%xmm3")
				 STORE("vmovups", "y") "vzeroupper"
			 : "+c"(rounds)
			 : [control] "m"(control), [plain] "m"(plain), [source] "m"(source),
			 [before] "m"(before), [out] "r"(out)
			 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm9", "cc", "memory");
}

static int is_half_done(const void *found, int number)
{
	const size_t bytes = REGISTER_WORDS * sizeof(uint32_t);
	return memcmp(found, before, bytes) != 0 && memcmp(found, results[number], bytes) != 0;
}

static void look(int number, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;
	const char *place = (const char *)uc->uc_mcontext.gregs[REG_RIP];
	const fpregset_t fp = uc->uc_mcontext.fpregs;
	__m128 own = _mm_rcp_ps(_mm_set1_ps(4));

	(void)number, (void)info;
	signals++;
	odd_in_handler += _mm_getcsr() != 0x1f80 || _mm_cvtss_f32(own) > 0.2501f ||
			  _mm_cvtss_f32(own) < 0.2499f;
	if (!running)
		return;
	odd_places += place < __executable_start || place >= etext;
	/* Outside of the loop itself the control word is the plain one. */
	odd_controls += fp->mxcsr != CONTROL && fp->mxcsr != 0x1f80;
	if (fp->mxcsr == CONTROL)
		for (int i = 0; i < 4; i++)
			odd_values += is_half_done(&fp->_xmm[i], i);
}

static void try_under_signals(const char *what, void (*run)(uint32_t[4][8], unsigned))
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	uint32_t again[4][8];
	long different = 0;

	memset(results, 0, sizeof(results));
	run(results, 1);
	signals = 0;
	must(setitimer(ITIMER_REAL, &often, NULL) == 0);
	while (signals < SIGNALS) {
		memset(again, 0, sizeof(again));
		running = 1;
		run(again, 1000);
		running = 0;
		different += memcmp(again, results, sizeof(again)) != 0;
	}
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
	printf("%s\n", what);
	expect("rounds with other results", different, 0);
}

int main(void)
{
	const struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO };

	must(sigaction(SIGALRM, &action, NULL) == 0);
	try_under_signals("SSE", run_sse);
	if (__builtin_cpu_supports("avx"))
		try_under_signals("AVX", run_avx);
	expect("signals outside of the program", odd_places, 0);
	expect("signals with another control word", odd_controls, 0);
	expect("signals in the middle of an instruction", odd_values, 0);
	expect("handlers with another state", odd_in_handler, 0);
	return verdict();
}
