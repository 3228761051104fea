/* Every leaf of cpuid is a function of the configuration: which CPU runs the program does not show.
 * Does not differ natively: on one machine only leaves that name the CPU do, and only at times. */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

static void show(unsigned leaf, unsigned subleaf)
{
	unsigned a, b, c, d;

	__cpuid_count(leaf, subleaf, a, b, c, d);
	printf("%08x.%x: %08x %08x %08x %08x\n", leaf, subleaf, a, b, c, d);
}

static void show_brand(void)
{
	unsigned words[13] = { 0 };

	for (unsigned i = 0; i < 3; i++)
		__cpuid(0x80000002 + i, words[i * 4], words[i * 4 + 1], words[i * 4 + 2],
			words[i * 4 + 3]);
	printf("%s\n", (char *)words);
}

int main(void)
{
	static const unsigned several[] = { 4, 7, 0xb, 0xd };

	for (unsigned leaf = 0; leaf <= 0x17; leaf++)
		show(leaf, 0);
	for (unsigned i = 0; i < sizeof(several) / sizeof(several[0]); i++)
		for (unsigned subleaf = 1; subleaf < 5; subleaf++)
			show(several[i], subleaf);
	show(0x1f, 0);
	show(0x40000000, 0);
	for (unsigned leaf = 0x80000000; leaf <= 0x80000009; leaf++)
		show(leaf, 0);
	show_brand();
	printf("popcnt %d, sse4.2 %d, avx %d, avx2 %d, avx512 %d\n",
		!!__builtin_cpu_supports("popcnt"), !!__builtin_cpu_supports("sse4.2"),
		!!__builtin_cpu_supports("avx"), !!__builtin_cpu_supports("avx2"),
		!!__builtin_cpu_supports("avx512f"));
	return 0;
}
