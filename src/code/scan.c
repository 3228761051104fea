#include "code/scan.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* No patch reaches further than this from the instruction that it is for. */
#define NEAR_BYTES 128

#define LOOK_BYTES 19 /* looked at to find what begins in the first 16 of them */

static int addresses_add(struct addresses *addresses, uint64_t address)
{
	if (addresses->count == addresses->room) {
		size_t room = addresses->room ? addresses->room * 2 : 256;
		uint64_t *items = realloc(addresses->items, room * sizeof(*items));

		if (!items)
			return -1;
		addresses->items = items;
		addresses->room = room;
	}
	addresses->items[addresses->count++] = address;
	return 0;
}

void addresses_free(struct addresses *addresses)
{
	free(addresses->items);
	*addresses = (struct addresses){ 0 };
}

static __m128i equal(__m128i bytes, uint8_t value)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)value));
}

/* The opcodes of approximations, which differ in the last bit. */
static __m128i approximates(__m128i bytes)
{
	return equal(_mm_or_si128(bytes, _mm_set1_epi8(1)), 0x53);
}

/* Of an approximation with VEX: its prefix of 2 or 3 bytes, and the opcode. */
static __m128i vex_candidates(const uint8_t *at, __m128i first)
{
	__m128i third = _mm_loadu_si128((const __m128i *)(at + 2));
	__m128i fourth = _mm_loadu_si128((const __m128i *)(at + 3));

	return _mm_or_si128(_mm_and_si128(equal(first, 0xc5), approximates(third)),
		_mm_and_si128(equal(first, 0xc4), approximates(fourth)));
}

/* Bit i: byte i and those behind it may begin an opcode of interest. Reads LOOK_BYTES. */
static unsigned candidate_bits(const uint8_t *at)
{
	__m128i first = _mm_loadu_si128((const __m128i *)at);
	__m128i second = _mm_loadu_si128((const __m128i *)(at + 1));
	__m128i escaped = equal(second, 0x05);

	escaped = _mm_or_si128(escaped, equal(second, 0x31));
	escaped = _mm_or_si128(escaped, equal(second, 0xa2));
	escaped = _mm_or_si128(escaped, equal(second, 0x01));
	escaped = _mm_or_si128(escaped, equal(second, 0xc7));
	escaped = _mm_or_si128(escaped, approximates(second));
	escaped = _mm_and_si128(escaped, equal(first, 0x0f));
	escaped = _mm_or_si128(escaped, _mm_and_si128(equal(first, 0xc7), equal(second, 0xf8)));
	escaped = _mm_or_si128(escaped, vex_candidates(at, first));
	return (unsigned)_mm_movemask_epi8(escaped);
}

/* Can the last byte of a VEX prefix be an approximation's? One of all elements has no second
 * source, one of the first element has prefix F3. */
static bool is_vex_candidate(uint8_t prefix)
{
	return (prefix & 0x7b) == 0x78 || (prefix & 3) == 2;
}

static bool approximates_byte(uint8_t opcode)
{
	return (opcode | 1) == 0x53;
}

static bool is_candidate(const uint8_t *at, size_t available)
{
	if (available < 2)
		return false;
	if (at[0] == 0xc5)
		return available > 2 && is_vex_candidate(at[1]) && approximates_byte(at[2]);
	if (at[0] == 0xc4)
		return available > 3 && is_vex_candidate(at[2]) && approximates_byte(at[3]);
	if (at[0] == 0xc7)
		return at[1] == 0xf8;
	if (at[0] != 0x0f)
		return false;
	switch (at[1]) {
	case 0x05: /* syscall */
	case 0x31: /* rdtsc */
	case 0xa2: /* cpuid */
	case 0x52: /* rsqrtps, rsqrtss */
	case 0x53: /* rcpps, rcpss */
		return true;
	case 0x01: /* rdtscp, xgetbv */
		return available > 2 && (at[2] == 0xf9 || at[2] == 0xd0);
	case 0xc7: /* rdrand, rdseed, rdpid */
		return available > 2 && at[2] >= 0xf0;
	default:
		return false;
	}
}

int scan_candidates(struct addresses *found, const struct elf_file *file)
{
	const uint8_t *text = elf_text(file);
	size_t length = file->text.p_filesz, at = 0;

	while (at < length) {
		unsigned bits = (1u << LOOK_BYTES) - 1, width = 16;

		if (length - at >= LOOK_BYTES)
			bits = candidate_bits(text + at);
		else
			width = (unsigned)(length - at);
		for (; bits; bits &= bits - 1) {
			unsigned i = (unsigned)__builtin_ctz(bits);

			if (i < width && is_candidate(text + at + i, length - at - i) &&
				addresses_add(found, file->text.p_vaddr + at + i))
				return -1;
		}
		at += width;
	}
	return 0;
}

/* Bit i: byte i may be the last opcode byte before a 32-bit distance. */
static unsigned jump_bits(const uint8_t *at)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)at);
	__m128i before = _mm_loadu_si128((const __m128i *)(at - 1));
	__m128i plain = equal(_mm_or_si128(bytes, _mm_set1_epi8(1)), 0xe9);
	__m128i branch = equal(_mm_and_si128(bytes, _mm_set1_epi8((char)0xf0)), 0x80);

	branch = _mm_and_si128(branch, equal(before, 0x0f));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(plain, branch));
}

static bool may_jump(const uint8_t *text, size_t at)
{
	return (text[at] & 0xfe) == 0xe8 ||
	       (at > 0 && text[at - 1] == 0x0f && (text[at] & 0xf0) == 0x80);
}

/* A bit per NEAR_BYTES of text, set where a place of interest lies in it or next to it. */
static uint8_t *neighbourhood(const struct elf_file *file, const struct addresses *near)
{
	size_t blocks = file->text.p_filesz / NEAR_BYTES + 3;
	uint8_t *map = calloc(blocks / 8 + 1, 1);

	for (size_t i = 0; map && i < near->count; i++) {
		size_t block = (near->items[i] - file->text.p_vaddr) / NEAR_BYTES;

		for (size_t b = block; b < block + 3; b++)
			map[b / 8] |= (uint8_t)(1u << b % 8);
	}
	return map;
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

int scan_targets(struct addresses *found, const struct elf_file *file, const struct addresses *near)
{
	cleanup_free uint8_t *map = neighbourhood(file, near);
	const uint8_t *text = elf_text(file);
	size_t length = file->text.p_filesz, at = 0;

	if (!map)
		return -1;
	while (length - at > 4) {
		unsigned bits = 1, width = 1;

		if (at > 0 && length - at > 16) {
			bits = jump_bits(text + at);
			width = 16;
		}
		for (; bits; bits &= bits - 1) {
			size_t opcode = at + (unsigned)__builtin_ctz(bits);
			int32_t distance;

			if (length - opcode < 5 || !may_jump(text, opcode))
				continue;
			memcpy(&distance, text + opcode + 1, 4);
			uint64_t target = opcode + 5 + (uint64_t)(int64_t)distance;
			/* Blocks are numbered from 1, so that each has one before it. */
			uint64_t block = target / NEAR_BYTES + 1;

			if (target >= length || !(map[block / 8] & 1u << block % 8))
				continue;
			if (addresses_add(found, file->text.p_vaddr + target))
				return -1;
		}
		at += width;
	}
	if (found->count)
		qsort(found->items, found->count, sizeof(*found->items), by_value);
	return 0;
}
