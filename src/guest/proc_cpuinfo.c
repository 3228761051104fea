/* /proc/cpuinfo: what `cpuid` says of the machine's CPUs, in words. */
#include "arena/cpu_model.h"
#include "guest/proc_file.h"

/* The names of the CPU's features, as Linux spells them, by register and bit. */
struct feature {
	uint8_t word, bit;
	char name[14];
};
enum {
	WORD_1_EDX,
	WORD_EXTENDED_EDX,
	WORD_1_ECX,
	WORD_EXTENDED_ECX,
	WORD_7_EBX,
	WORD_POWER,
	WORDS
};

static const struct feature features[] = {
	{ WORD_1_EDX, 0, "fpu" },
	{ WORD_1_EDX, 1, "vme" },
	{ WORD_1_EDX, 2, "de" },
	{ WORD_1_EDX, 3, "pse" },
	{ WORD_1_EDX, 4, "tsc" },
	{ WORD_1_EDX, 5, "msr" },
	{ WORD_1_EDX, 6, "pae" },
	{ WORD_1_EDX, 7, "mce" },
	{ WORD_1_EDX, 8, "cx8" },
	{ WORD_1_EDX, 9, "apic" },
	{ WORD_1_EDX, 11, "sep" },
	{ WORD_1_EDX, 12, "mtrr" },
	{ WORD_1_EDX, 13, "pge" },
	{ WORD_1_EDX, 14, "mca" },
	{ WORD_1_EDX, 15, "cmov" },
	{ WORD_1_EDX, 16, "pat" },
	{ WORD_1_EDX, 17, "pse36" },
	{ WORD_1_EDX, 19, "clflush" },
	{ WORD_1_EDX, 23, "mmx" },
	{ WORD_1_EDX, 24, "fxsr" },
	{ WORD_1_EDX, 25, "sse" },
	{ WORD_1_EDX, 26, "sse2" },
	{ WORD_1_EDX, 27, "ss" },
	{ WORD_1_EDX, 28, "ht" },
	{ WORD_EXTENDED_EDX, 11, "syscall" },
	{ WORD_EXTENDED_EDX, 20, "nx" },
	{ WORD_EXTENDED_EDX, 26, "pdpe1gb" },
	{ WORD_EXTENDED_EDX, 27, "rdtscp" },
	{ WORD_EXTENDED_EDX, 29, "lm" },
	{ WORD_POWER, 8, "constant_tsc" },
	{ WORD_POWER, 8, "nonstop_tsc" },
	{ WORD_1_ECX, 0, "pni" },
	{ WORD_1_ECX, 1, "pclmulqdq" },
	{ WORD_1_ECX, 9, "ssse3" },
	{ WORD_1_ECX, 12, "fma" },
	{ WORD_1_ECX, 13, "cx16" },
	{ WORD_1_ECX, 19, "sse4_1" },
	{ WORD_1_ECX, 20, "sse4_2" },
	{ WORD_1_ECX, 22, "movbe" },
	{ WORD_1_ECX, 23, "popcnt" },
	{ WORD_1_ECX, 25, "aes" },
	{ WORD_1_ECX, 26, "xsave" },
	{ WORD_1_ECX, 28, "avx" },
	{ WORD_1_ECX, 29, "f16c" },
	{ WORD_1_ECX, 30, "rdrand" },
	{ WORD_EXTENDED_ECX, 0, "lahf_lm" },
	{ WORD_EXTENDED_ECX, 5, "abm" },
	{ WORD_EXTENDED_ECX, 8, "3dnowprefetch" },
	{ WORD_7_EBX, 0, "fsgsbase" },
	{ WORD_7_EBX, 3, "bmi1" },
	{ WORD_7_EBX, 5, "avx2" },
	{ WORD_7_EBX, 8, "bmi2" },
	{ WORD_7_EBX, 9, "erms" },
	{ WORD_7_EBX, 18, "rdseed" },
	{ WORD_7_EBX, 19, "adx" },
	{ WORD_7_EBX, 29, "sha_ni" },
};

static struct cpuid ask(uint32_t leaf)
{
	return cpu_model_cpuid(machine(), leaf, 0);
}

static void write_features(struct view *view)
{
	const struct cpuid basic = ask(1), extended = ask(0x80000001);
	const uint32_t words[WORDS] = { basic.edx, extended.edx, basic.ecx, extended.ecx,
		ask(7).ebx, ask(0x80000007).edx };

	view_string(view, "flags\t\t:");
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (words[features[i].word] & 1u << features[i].bit)
			view_print(view, " %s", features[i].name);
	view_string(view, "\n");
}

static void write_names(struct view *view)
{
	const struct cpuid first = ask(0);
	const uint32_t vendor[4] = { first.ebx, first.edx, first.ecx, 0 };
	uint32_t signature = ask(1).eax, family = signature >> 8 & 15, model = signature >> 4 & 15;
	struct cpuid brand[4] = { ask(0x80000002), ask(0x80000003), ask(0x80000004), { 0 } };

	if (family == 6 || family == 15)
		model |= signature >> 12 & 0xf0;
	if (family == 15)
		family += signature >> 20 & 0xff;
	view_print(view, "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: %s\n",
		(const char *)vendor, family, model, (const char *)brand);
	view_print(view, "stepping\t: %u\n", signature & 15);
}

/* The last level of the caches. */
static unsigned cache_kib(void)
{
	unsigned kib = 0;

	for (uint32_t i = 0; i < 8; i++) {
		struct cpuid c = cpu_model_cpuid(machine(), 4, i);

		if (!(c.eax & 31))
			break;
		kib = ((c.ebx >> 22) + 1) * ((c.ebx >> 12 & 1023) + 1) * ((c.ebx & 4095) + 1) /
		      1024 * (c.ecx + 1);
	}
	return kib;
}

static void write_cpu(struct view *view, uint32_t number)
{
	const unsigned mhz = CPU_MODEL_HZ / 1000000;
	uint32_t sizes = ask(0x80000008).eax, line = ask(1).ebx >> 8 & 0xff;

	view_print(view, "processor\t: %u\n", number);
	write_names(view);
	view_print(view, "microcode\t: 0x1\ncpu MHz\t\t: %u.000\ncache size\t: %u KB\n", mhz,
		cache_kib());
	view_print(view,
		"physical id\t: 0\nsiblings\t: %u\ncore id\t\t: %u\ncpu cores\t: %u\n"
		"apicid\t\t: %u\ninitial apicid\t: %u\nfpu\t\t: yes\nfpu_exception\t: yes\n",
		machine()->cpus, number, machine()->cpus, number, number);
	view_print(view, "cpuid level\t: %u\nwp\t\t: yes\n", ask(0).eax);
	write_features(view);
	view_print(view,
		"bugs\t\t:\nbogomips\t: %u.00\nclflush size\t: %u\ncache_alignment\t: %u\n",
		2 * mhz, line * 8, line * 8);
	view_print(view,
		"address sizes\t: %u bits physical, %u bits virtual\npower management:\n\n",
		sizes & 0xff, sizes >> 8 & 0xff);
}

void proc_cpuinfo(struct proc_file *file)
{
	if (process.relax & RELAX_CPU) {
		proc_copy(file);
		return;
	}
	for (uint32_t i = 0; i < machine()->cpus && !view_full(&file->view); i++)
		write_cpu(&file->view, i);
}
