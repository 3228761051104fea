# Instructions that ask the processor, in a program and in its inline assembly.
cd /tmp || exit 1
cat >instructions.c <<'C'
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <x86intrin.h>
int main(void)
{
	unsigned a, b, c, d, aux;
	uint64_t one, two;

	for (unsigned base = 0; base <= 0x80000000u && base >= 0; base += 0x80000000u) {
		for (unsigned leaf = base; leaf < base + 0x20; leaf++)
			for (unsigned sub = 0; sub < 4; sub++) {
				__cpuid_count(leaf, sub, a, b, c, d);
				printf("%08x/%u %08x %08x %08x %08x\n", leaf, sub, a, b, c, d);
			}
		if (base)
			break;
	}
	one = __rdtsc();
	two = __rdtscp(&aux);
	printf("%d %u\n", two >= one, aux);
	printf("%lx %lx %s\n", getauxval(AT_HWCAP), getauxval(AT_HWCAP2), (char *)getauxval(AT_PLATFORM));
	printf("%08x\n", __builtin_ia32_crc32si(1, 2));
	return 0;
}
C
gcc -O2 -msse4.2 -o instructions instructions.c && ./instructions
