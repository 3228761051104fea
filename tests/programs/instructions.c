/* rdtsc, rdtscp, rdpid, cpuid, rdrand, rdseed, xgetbv and transactions: they answer, and keep other
 * registers. */
#include <cpuid.h>
#include <immintrin.h>
#include <unistd.h>

#include "check.h"

static void check_time_stamp(void)
{
	unsigned cpu;
	unsigned long long last = __rdtsc();
	long backwards = 0;
	for (int i = 0; i < 100000; i++) {
		unsigned long long now = i % 2 ? __rdtsc() : __rdtscp(&cpu);
		backwards += now < last;
		last = now;
	}
	expect("steps backwards", backwards, 0);
}

/* rdtsc changes rax and rdx alone: not rcx, not r11, not the flags. */
static void check_time_stamp_registers(void)
{
	unsigned long c = 0x1234, r11, flags_before, flags_after;
	__asm__ volatile("movq $0x5678, %%r11\n cmpq %%r11, %%r11\n stc\n"
			 "pushfq\n popq %1\n rdtsc\n pushfq\n popq %2\n movq %%r11, %3\n"
			 : "+c"(c), "=&r"(flags_before), "=&r"(flags_after), "=&r"(r11)
			 :
			 : "rax", "rdx", "r11", "memory", "cc");
	expect("rcx", (long)c, 0x1234);
	expect("r11", (long)r11, 0x5678);
	expect_true("flags", flags_before == flags_after);
}

static void check_cpu(void)
{
	unsigned a, b, c, d, again_a, again_b, again_c, again_d;
	char vendor[13] = "";
	must(__get_cpuid(0, &a, &b, &c, &d));
	memcpy(vendor, &b, 4);
	memcpy(vendor + 4, &d, 4);
	memcpy(vendor + 8, &c, 4);
	printf("vendor: %s\n", vendor);
	int same = 1;
	for (int i = 0; i < 1000; i++) {
		must(__get_cpuid_count(7, 0, &a, &b, &c, &d));
		__cpuid_count(7, 0, again_a, again_b, again_c, again_d);
		same &= a == again_a && b == again_b && c == again_c && d == again_d;
	}
	expect_true("leaf 7 is constant", same);
}

__attribute__((target("rdrnd,rdseed"))) static void check_random(void)
{
	unsigned long long values[64], again = 0;
	unsigned a, b, c, d;
	__cpuid(1, a, b, c, d);
	if (c & bit_RDRND) {
		for (int i = 0; i < 64; i++)
			while (!_rdrand64_step(&values[i]))
				;
		for (int i = 1; i < 64; i++)
			again += values[i] == values[i - 1];
	}
	expect("repeated random numbers", (long)again, 0);
	__cpuid_count(7, 0, a, b, c, d);
	if (b & bit_RDSEED) {
		unsigned seed;
		int tries = 0;
		while (!_rdseed32_step(&seed) && tries < 1000000)
			tries++;
		expect_true("rdseed answers", tries < 1000000);
	}
}

__attribute__((target("rtm"))) static void check_transaction(void)
{
	unsigned a, b, c, d;
	__cpuid_count(7, 0, a, b, c, d);
	volatile int rounds = 0;
	for (int i = 0; i < 100; i++) {
		if ((b & bit_RTM) && _xbegin() == _XBEGIN_STARTED)
			_xend();
		rounds++;
	}
	expect("rounds after which a transaction was over, or had aborted", rounds, 100);
}

int main(void)
{
	check_time_stamp();
	check_time_stamp_registers();
	check_cpu();
	check_random();
	check_transaction();
	return verdict();
}
