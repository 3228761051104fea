#include "arena/cpu_model.h"

#include <stddef.h>

#define BIT(n) (1u << (n))

/* Leaf 1, edx: all that every 64-bit processor of the vendor has; 28 (HTT) when there are
 * several. */
#define BASE_EDX    0x078bfbffu
#define EDX_THREADS BIT(28)
/* Leaf 1, ecx. */
#define V2_ECX                                                                                     \
	(BIT(0) /* SSE3 */ | BIT(9) /* SSSE3 */ | BIT(13) /* CMPXCHG16B */ |                       \
		BIT(19) /* SSE4.1 */ | BIT(20) /* SSE4.2 */ | BIT(23) /* POPCNT */)
#define V3_ECX                                                                                     \
	(V2_ECX | BIT(12) /* FMA */ | BIT(22) /* MOVBE */ | BIT(26) /* XSAVE */ |                  \
		BIT(27) /* OSXSAVE */ | BIT(28) /* AVX */ | BIT(29) /* F16C */)
/* Leaf 7, ebx. */
#define V3_LEAF7_EBX (BIT(3) /* BMI1 */ | BIT(5) /* AVX2 */ | BIT(8) /* BMI2 */)
/* Leaf 0x80000001: ecx, edx. */
#define V2_EXTENDED_ECX	    BIT(0) /* LAHF in 64-bit mode */
#define V3_EXTENDED_ECX	    (V2_EXTENDED_ECX | BIT(5) /* LZCNT */)
#define BASE_EXTENDED_EDX   (BIT(11) /* SYSCALL */ | BIT(20) /* NX */ | BIT(29) /* LM */)
#define EXTENDED_EDX_RDTSCP BIT(27)
#define V2_EXTENDED_EDX	    (BASE_EXTENDED_EDX | EXTENDED_EDX_RDTSCP)

#define XCR0_V3		    7 /* x87, SSE, AVX */
#define XCR0_LEGACY	    3

/*
 * Bytes of an XSAVE area. The host's XCR0 can have more than the model's, and XSAVE writes what it
 * has whatever the model says: an area must have room for all that is known (AMX's ends here).
 */
#define XSAVE_BYTES   11008

#define BASIC_LAST    0x16u
#define EXTENDED_LAST 0x80000008u

struct model {
	uint32_t signature; /* leaf 1, eax: family, model, stepping */
	uint32_t leaf1_ecx, leaf7_ebx, extended_ecx, extended_edx;
	bool xsave;
	char brand[48];
};

/* Signatures of processors that had about these features: libraries choose code by them. */
static const struct model models[] = {
	[CPU_X86_64] = { 0x00000f41, 0, 0, 0, BASE_EXTENDED_EDX, false,
		"Stet virtual CPU x86-64 @ 1.00GHz" },
	[CPU_X86_64_V2] = { 0x000106a5, V2_ECX, 0, V2_EXTENDED_ECX, V2_EXTENDED_EDX, false,
		"Stet virtual CPU x86-64-v2 @ 1.00GHz" },
	[CPU_X86_64_V3] = { 0x000306c3, V3_ECX, V3_LEAF7_EBX, V3_EXTENDED_ECX, V2_EXTENDED_EDX,
		true, "Stet virtual CPU x86-64-v3 @ 1.00GHz" },
};

static const struct model *model_of(const struct machine *machine)
{
	return &models[machine->cpu < CPU_HOST ? machine->cpu : CPU_X86_64_V2];
}

/* Bits of an APIC id that tell the machine's CPUs apart. */
static uint32_t id_bits(const struct machine *machine)
{
	uint32_t bits = 0;

	while (1u << bits < machine->cpus)
		bits++;
	return bits;
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
	return value < limit ? value : limit;
}

static struct cpuid features(const struct machine *machine, const struct model *model)
{
	const uint32_t flush_line = 8; /* times 8 bytes */
	struct cpuid out = { model->signature, flush_line << 8, model->leaf1_ecx, BASE_EDX };

	out.ebx |= at_most(1u << id_bits(machine), 255) << 16;
	if (machine->cpus > 1)
		out.edx |= EDX_THREADS;
	return out;
}

enum cache_type { CACHE_DATA = 1, CACHE_CODE, CACHE_UNIFIED };

/* Lines of 64 bytes. `sharing`: bits of the ids of the CPUs that share it. */
static struct cpuid cache(const struct machine *machine, enum cache_type type, uint32_t level,
	uint32_t ways, uint32_t sets, uint32_t sharing)
{
	uint32_t cores = at_most((1u << id_bits(machine)) - 1, 63);

	return (struct cpuid){
		.eax = type | level << 5 | 1u << 8 | ((1u << sharing) - 1) << 14 | cores << 26,
		.ebx = 63 | (ways - 1) << 22,
		.ecx = sets - 1,
	};
}

static struct cpuid caches(const struct machine *machine, uint32_t index)
{
	switch (index) {
	case 0:
		return cache(machine, CACHE_DATA, 1, 8, 64, 0); /* 32 KiB */
	case 1:
		return cache(machine, CACHE_CODE, 1, 8, 64, 0);
	case 2:
		return cache(machine, CACHE_UNIFIED, 2, 8, 512, 0); /* 256 KiB */
	case 3:
		return cache(machine, CACHE_UNIFIED, 3, 16, 8192, id_bits(machine)); /* 8 MiB */
	default:
		return (struct cpuid){ 0 };
	}
}

/* One thread per core, one package. */
static struct cpuid topology(const struct machine *machine, uint32_t level)
{
	switch (level) {
	case 0:
		return (struct cpuid){ 0, 1, 1u << 8, 0 };
	case 1:
		return (struct cpuid){ id_bits(machine), machine->cpus, 2u << 8 | 1, 0 };
	default:
		return (struct cpuid){ .ecx = level & 0xff };
	}
}

static struct cpuid extended_state(const struct model *model, uint32_t subleaf)
{
	if (!model->xsave)
		return (struct cpuid){ 0 };
	switch (subleaf) {
	case 0:
		return (struct cpuid){ XSTATE_LEGACY | XSTATE_AVX, XSAVE_BYTES, XSAVE_BYTES, 0 };
	case 2:
		return (struct cpuid){ 256, 576, 0, 0 }; /* AVX: the upper halves of 16 registers */
	default:
		return (struct cpuid){ 0 };
	}
}

static struct cpuid text(const char *bytes)
{
	uint32_t words[4] = { 0 };

	for (unsigned i = 0; i < 16; i++)
		words[i / 4] |= (uint32_t)(uint8_t)bytes[i] << (i % 4 * 8);
	return (struct cpuid){ words[0], words[1], words[2], words[3] };
}

static struct cpuid vendor(void)
{
	struct cpuid name = text(CPU_MODEL_VENDOR "\0\0\0");

	return (struct cpuid){ BASIC_LAST, name.eax, name.ecx, name.ebx };
}

static struct cpuid basic(
	const struct machine *machine, const struct model *model, uint32_t leaf, uint32_t subleaf)
{
	switch (leaf) {
	case 0:
		return vendor();
	case 1:
		return features(machine, model);
	case 2: /* caches are in leaf 4 (descriptor 0xff); the TLBs and prefetching of a Haswell */
		return (struct cpuid){ 0x76036301, 0x00f0b5ff, 0, 0x00c10000 };
	case 4:
		return caches(machine, subleaf);
	case 7:
		return (struct cpuid){ .ebx = subleaf ? 0 : model->leaf7_ebx };
	case 0xb:
		return topology(machine, subleaf);
	case 0xd:
		return extended_state(model, subleaf);
	case 0x15: /* 40 ticks of the counter for each of a crystal of 25 MHz */
		return (struct cpuid){ 1, 40, CPU_MODEL_HZ / 40, 0 };
	case 0x16: /* MHz: base, maximum, bus */
		return (struct cpuid){ CPU_MODEL_HZ / 1000000, CPU_MODEL_HZ / 1000000, 100, 0 };
	default: /* nothing to monitor, no sensors, no counters */
		return (struct cpuid){ 0 };
	}
}

static struct cpuid extended(const struct model *model, uint32_t leaf)
{
	switch (leaf) {
	case 0x80000000:
		return (struct cpuid){ .eax = EXTENDED_LAST };
	case 0x80000001:
		return (struct cpuid){ .ecx = model->extended_ecx, .edx = model->extended_edx };
	case 0x80000002 ... 0x80000004:
		return text(model->brand + (leaf - 0x80000002) * 16);
	case 0x80000006: /* the second level again: 256 KiB, 8 ways, lines of 64 */
		return (struct cpuid){ .ecx = 256u << 16 | 6u << 12 | 64 };
	case 0x80000007:
		return (struct cpuid){ .edx = BIT(8) }; /* the counter's rate is constant */
	case 0x80000008:
		return (struct cpuid){ .eax = 48u << 8 | 40 }; /* virtual and physical bits */
	default:
		return (struct cpuid){ 0 };
	}
}

struct cpuid cpu_model_cpuid(const struct machine *machine, uint32_t leaf, uint32_t subleaf)
{
	const struct model *model = model_of(machine);

	if (leaf >= 0x80000000 && leaf <= EXTENDED_LAST)
		return extended(model, leaf);
	if (leaf >= 0x40000000 && leaf < 0x50000000) /* where hypervisors would be */
		return (struct cpuid){ 0 };
	/* Beyond the last leaf the vendor's processors answer as for the last basic one. */
	return basic(machine, model, leaf <= BASIC_LAST ? leaf : BASIC_LAST, subleaf);
}

/* Registers of features, apart from what depends on the number of CPUs. */
static const struct {
	uint32_t leaf;
	size_t at;
} feature_words[] = {
	{ 1, offsetof(struct cpuid, ecx) },
	{ 7, offsetof(struct cpuid, ebx) },
	{ 0x80000001, offsetof(struct cpuid, ecx) },
	{ 0x80000001, offsetof(struct cpuid, edx) },
};

/* A feature that the host need not have where the guest answers in its place. No level of the psABI
 * names it, and virtual machines with old processors can be without. */
static struct cpuid with_counter(uint32_t leaf, struct cpuid answer, enum cpu_counter counter)
{
	if (leaf == 0x80000001 && counter == COUNTER_LOGICAL)
		answer.edx |= EXTENDED_EDX_RDTSCP;
	return answer;
}

static uint32_t word_at(const struct cpuid *answer, size_t at)
{
	return *(const uint32_t *)((const char *)answer + at);
}

bool cpu_model_fits(const struct machine *machine, enum cpu_counter counter,
	struct cpuid (*host)(uint32_t leaf, uint32_t subleaf))
{
	for (unsigned i = 0; i < sizeof(feature_words) / sizeof(feature_words[0]); i++) {
		uint32_t leaf = feature_words[i].leaf;
		struct cpuid model = cpu_model_cpuid(machine, leaf, 0);
		struct cpuid real = with_counter(leaf, host(leaf, 0), counter);
		uint32_t wanted = word_at(&model, feature_words[i].at);

		if (wanted & ~word_at(&real, feature_words[i].at))
			return false;
	}
	return true;
}

uint64_t cpu_model_xcr0(const struct machine *machine)
{
	return model_of(machine)->xsave ? XSTATE_LEGACY | XSTATE_AVX : XSTATE_LEGACY;
}

uint64_t cpu_model_hwcap(const struct machine *machine)
{
	return features(machine, model_of(machine)).edx;
}

/* Neither MONITOR nor FSGSBASE for programs: no level has them. */
uint64_t cpu_model_hwcap2(const struct machine *machine)
{
	(void)machine;
	return 0;
}
