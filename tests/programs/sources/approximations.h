/*
 * What the programs about rcpps, rsqrtps and their like share: a form of an instruction is run on
 * many values, and must give what divisions and square roots give, and change nothing else.
 */
#ifndef STET_TESTS_APPROXIMATIONS_H
#define STET_TESTS_APPROXIMATIONS_H

#include <immintrin.h>
#include <stdint.h>

#include "../check.h"

#define LANES  8
#define VALUES 4096 /* a multiple of LANES */

/* What a form finds and leaves; rdi points to it. */
struct trial {
	_Alignas(64) uint32_t source[LANES];
	uint32_t before[LANES]; /* of the destination */
	uint32_t second[LANES]; /* the source that scalar VEX forms take the upper bits from */
	uint32_t after[LANES];
	uint32_t mxcsr, mxcsr_after;
	uint64_t flags, flags_after;
};

/* The same in assembly; a place in the red zone, aligned, holds the source too. */
#define SOURCE	    "0x00(%%rdi)"
#define BEFORE	    "0x20(%%rdi)"
#define SECOND	    "0x40(%%rdi)"
#define AFTER	    "0x60(%%rdi)"
#define MXCSR	    "0x80(%%rdi)"
#define MXCSR_AFTER "0x84(%%rdi)"
#define FLAGS	    "0x88(%%rdi)"
#define FLAGS_AFTER "0x90(%%rdi)"
#define RED_ZONE    "-64(%%rsp)"

/* The flags and MXCSR are odd ones when the instruction runs, and are looked at right behind it. */
#define RUN_BEGIN                                                                                  \
	"movq %%rsp, %%rbx\n leaq -256(%%rsp), %%rsp\n andq $-64, %%rsp\n"                         \
	"xorl %%ecx, %%ecx\n ldmxcsr " MXCSR "\n"
#define RUN_FLAGS "cmpl $1, %%ecx\n pushfq\n popq " FLAGS "\n"
#define RUN_END                                                                                    \
	"pushfq\n popq " FLAGS_AFTER "\n stmxcsr " MXCSR_AFTER "\n movq %%rbx, %%rsp\n"            \
	"movl $0x1f80, -4(%%rsp)\n ldmxcsr -4(%%rsp)\n"

/* Enough for a source that RIP names. */
static uint32_t named_source[LANES] __attribute__((aligned(64), used));

enum upper { KEPT, OF_SOURCE, OF_SECOND, ZERO };

struct form {
	const char *name;
	void (*run)(struct trial *trial);
	int root;
	int lanes;	  /* that are computed */
	enum upper upper; /* the rest of the first 16 bytes */
	enum upper high;  /* the other 16 bytes, where the program looks at them */
};

static uint32_t bits_of(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Denormal numbers count as zeros, and become zeros. */
__attribute__((noinline)) static uint32_t exact(uint32_t bits, int root)
{
	volatile float value = float_of(bits), result;
	_mm_setcsr(0x9fc0);
	if (root)
		value = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(value)));
	result = 1.0f / value;
	_mm_setcsr(0x1f80);
	return bits_of(result);
}

static const uint32_t special[] = {
	0x00000000,
	0x80000000, /* zeros */
	0x7f800000,
	0xff800000, /* infinities */
	0x7fc00000,
	0xffc12345,
	0x7f812345,
	0xff800001, /* quiet and signalling NaN */
	0x00000001,
	0x80000001,
	0x007fffff,
	0x807fffff, /* denormal */
	0x00800000,
	0x80800000,
	0x00ffffff, /* the smallest normal ones */
	0x7f7fffff,
	0xff7fffff,
	0x7e800000,
	0x7e800001,
	0x7effffff,
	0x7f000000, /* huge */
	0x3f800000,
	0xbf800000,
	0x40000000,
	0x40400000,
	0xc0400000,
	0x40800000,
	0x3dcccccd,
};

static void fill(uint32_t values[VALUES])
{
	const unsigned count = sizeof(special) / sizeof(*special);
	uint32_t state = 2463534242u;
	for (unsigned i = 0; i < VALUES; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		values[i] = i < count ? special[i] : state;
	}
}

/* What must be in lanes that are not computed. */
static uint32_t rest(const struct trial *trial, enum upper upper, int lane)
{
	switch (upper) {
	case KEPT:
		return trial->before[lane];
	case OF_SOURCE:
		return trial->source[lane];
	case OF_SECOND:
		return trial->second[lane];
	default:
		return 0;
	}
}

static long wrong_lanes(const struct trial *trial, const struct form *form, int lanes)
{
	long wrong = 0;
	for (int lane = 0; lane < lanes; lane++) {
		uint32_t wanted = lane < form->lanes
					  ? exact(trial->source[lane], form->root)
					  : rest(trial, lane < 4 ? form->upper : form->high, lane);
		wrong += trial->after[lane] != wanted;
	}
	return wrong;
}

/* All values, each in the first lane too, under MXCSRs that round, flush and trap differently. */
static void try_form(const struct form *form, const uint32_t values[VALUES], int lanes)
{
	static const uint32_t modes[] = { 0x1f80, 0x0000, 0x6000, 0xffff, 0x3f80 };
	long wrong = 0, control = 0, flags = 0;
	uint64_t sum = 0;
	struct trial trial;

	for (unsigned i = 0; i < VALUES; i++) {
		memset(&trial, 0, sizeof(trial));
		for (int lane = 0; lane < LANES; lane++) {
			trial.source[lane] = values[(i + 5 * lane) % VALUES];
			trial.before[lane] = 0x11111111u * (lane + 1);
			trial.second[lane] = 0x01010101u * (lane + 1);
		}
		memcpy(named_source, trial.source, sizeof(named_source));
		trial.mxcsr = modes[i % 5];
		form->run(&trial);
		wrong += wrong_lanes(&trial, form, lanes);
		control += trial.mxcsr_after != trial.mxcsr;
		flags += trial.flags_after != trial.flags;
		sum = (sum ^ trial.after[0]) * 0x100000001b3;
		sum = (sum ^ trial.after[3]) * 0x100000001b3;
	}
	printf("%s: %016lx\n", form->name, sum);
	if (wrong || control || flags)
		printf("FAILED: %ld results, %ld MXCSRs, %ld flags are wrong\n", wrong, control,
			flags);
	check_failures += (wrong || control || flags);
}

#endif
