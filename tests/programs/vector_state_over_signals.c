/* Vector registers survive handlers that use them, also when a handler interrupts a system call. */
#include <immintrin.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

static volatile int calls;
static volatile double sink;

static void disturb(int number)
{
	(void)number;
	double sum = 0;
	for (int i = 1; i < 50; i++)
		sum += 1.0 / i;
	sink = sum;
	__asm__ volatile("pcmpeqd %%xmm0, %%xmm0\n movaps %%xmm0, %%xmm15\n fldz\n fstp %%st(0)" ::
				 : "xmm0", "xmm15");
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vxorps %%ymm1, %%ymm1, %%ymm1\n vmovaps %%ymm1, %%ymm15" ::
					 : "xmm1", "xmm15");
	getppid();
	calls++;
}

__attribute__((target("avx"))) static long damaged_with_avx(void)
{
	__m256 wanted = _mm256_set_ps(1, 2, 3, 4, 5, 6, 7, 8);
	long damage = 0;
	float out[8];
	for (int i = 0; i < 1000; i++) {
		__m256 value = wanted;
		__asm__ volatile(
			"movl $110, %%eax\n syscall\n movl $100, %%eax\n 1: decl %%eax\n jnz 1b"
			: "+x"(value)
			:
			: "rax", "rcx", "r11", "memory", "cc");
		_mm256_storeu_ps(out, value);
		for (int k = 0; k < 8; k++)
			damage += out[k] != (float)(8 - k);
	}
	return damage;
}

static long damaged_with_sse(void)
{
	long damage = 0;
	for (int i = 0; i < 1000; i++) {
		double value = 0.25 * i, check = 0.25 * i;
		__asm__ volatile("movl $110, %%eax\n syscall"
				 : "+x"(value)
				 :
				 : "rax", "rcx", "r11", "memory");
		damage += value != check;
	}
	return damage;
}

int main(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	long damage = 0;
	signal(SIGALRM, disturb);
	must(setitimer(ITIMER_REAL, &often, NULL) == 0);
	while (calls < 300)
		damage += __builtin_cpu_supports("avx") ? damaged_with_avx() : damaged_with_sse();
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
	expect("damaged lanes", damage, 0);
	return verdict();
}
