#include "diff/resync.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define BLOCK_LEAST    32
#define BLOCKS_MOST    (1u << 18)
#define FILTER_WORDS   65536
#define CANDIDATES     16	    /* blocks of the same hash that are looked at */
#define WORK_PER_BYTE  8	    /* that may be spent, on average */
#define WORK_LEAST     (1u << 20)   /* for small ones */
#define WORK_MOST      (256u << 20) /* some seconds */
#define CHANGES_MOST   100000	    /* more are not worth telling apart */
#define HASH_FACTOR    0x9e3779b97f4a7c15ull
#define COMPARED_CHUNK 4096

uint64_t common_prefix(const unsigned char *a, const unsigned char *b, uint64_t most)
{
	uint64_t same = 0;

	while (most - same >= COMPARED_CHUNK && memcmp(a + same, b + same, COMPARED_CHUNK) == 0)
		same += COMPARED_CHUNK;
	while (same < most && a[same] == b[same])
		same++;
	return same;
}

uint64_t common_suffix(const unsigned char *a_end, const unsigned char *b_end, uint64_t most)
{
	uint64_t same = 0;

	while (most - same >= COMPARED_CHUNK &&
		memcmp(a_end - same - COMPARED_CHUNK, b_end - same - COMPARED_CHUNK,
			COMPARED_CHUNK) == 0)
		same += COMPARED_CHUNK;
	while (same < most && a_end[-1 - (int64_t)same] == b_end[-1 - (int64_t)same])
		same++;
	return same;
}

struct block {
	uint32_t next; /* of the same slot, or 0 */
	uint32_t tag;  /* other bits of its hash: looking at A itself costs much more */
};

/* The blocks of A by their hashes; those of one slot are linked, in ascending order. */
struct blocks {
	const unsigned char *a, *b;
	uint64_t a_size, b_size;
	uint64_t size;	    /* of a block */
	uint64_t power;	    /* the weight of a block's first byte in its hash */
	uint32_t *slots;    /* the first block, counted from 1 */
	struct block *list; /* of them, also counted from 1 */
	unsigned shift;
	uint64_t *filter; /* bits for hashes that are there, few and so in the cache */
	uint64_t work;	  /* that is left */
};

static uint64_t hash_block(const struct blocks *blocks, const unsigned char *data)
{
	uint64_t hash = 0;

	for (uint64_t i = 0; i < blocks->size; i++)
		hash = hash * HASH_FACTOR + data[i] + 1;
	return hash;
}

static uint64_t hash_roll(
	const struct blocks *blocks, uint64_t hash, unsigned char gone, unsigned char come)
{
	return (hash - (gone + 1u) * blocks->power) * HASH_FACTOR + come + 1;
}

static uint64_t *filter_word(const struct blocks *blocks, uint64_t hash)
{
	return &blocks->filter[(hash >> 6) % FILTER_WORDS];
}

static uint32_t *slot_of(const struct blocks *blocks, uint64_t hash)
{
	return &blocks->slots[(hash * HASH_FACTOR) >> blocks->shift];
}

static int blocks_prepare(struct blocks *blocks)
{
	uint64_t count = blocks->a_size / blocks->size;
	unsigned bits = 4;

	while ((1ull << bits) < 2 * count)
		bits++;
	blocks->shift = 64 - bits;
	blocks->slots = calloc(1ull << bits, sizeof(*blocks->slots));
	blocks->list = calloc(count + 1, sizeof(*blocks->list));
	blocks->filter = calloc(FILTER_WORDS, sizeof(*blocks->filter));
	if (!blocks->slots || !blocks->list || !blocks->filter)
		return -1;
	blocks->power = 1;
	for (uint64_t i = 1; i < blocks->size; i++)
		blocks->power *= HASH_FACTOR;
	for (uint64_t i = count; i-- > 0;) {
		uint64_t hash = hash_block(blocks, blocks->a + i * blocks->size);
		uint32_t *slot = slot_of(blocks, hash);

		*filter_word(blocks, hash) |= 1ull << hash % 64;
		blocks->list[i + 1] = (struct block){ *slot, (uint32_t)hash };
		*slot = (uint32_t)i + 1;
	}
	return 0;
}

/* Of the blocks of A from `from` on, the first that is the same as what is at `at` in B. */
static bool find_block(
	struct blocks *blocks, uint64_t hash, uint64_t from, uint64_t at, uint64_t *found)
{
	uint32_t *slot;
	unsigned candidates = CANDIDATES;

	if (!(*filter_word(blocks, hash) & 1ull << hash % 64))
		return false;
	slot = slot_of(blocks, hash);
	/* Nobody will ask for earlier ones again. */
	while (*slot && (*slot - 1) * blocks->size < from)
		*slot = blocks->list[*slot].next;
	for (uint32_t i = *slot; i && candidates; i = blocks->list[i].next) {
		if (blocks->list[i].tag != (uint32_t)hash)
			continue;
		candidates--;
		*found = (i - 1) * blocks->size;
		if (memcmp(blocks->a + *found, blocks->b + at, blocks->size) == 0)
			return true;
	}
	return false;
}

/* Where both go on alike after they parted at *a and *b: the place with least between. */
static bool find_together(struct blocks *blocks, uint64_t *a, uint64_t *b)
{
	uint64_t size = blocks->size, best = UINT64_MAX, from = *a, start = *b, hash, found;

	if (blocks->b_size - start < size || blocks->work < size)
		return false;
	hash = hash_block(blocks, blocks->b + start);
	blocks->work -= size;
	for (uint64_t at = start; at - start < best; at++) {
		if (find_block(blocks, hash, from, at, &found) &&
			found - from + at - start < best) {
			best = found - from + at - start;
			*a = found;
			*b = at;
		}
		if (blocks->b_size - at <= size || !blocks->work--)
			break;
		hash = hash_roll(blocks, hash, blocks->b[at], blocks->b[at + size]);
	}
	return best != UINT64_MAX;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static int walk(struct blocks *blocks, struct changes *changes)
{
	uint64_t a = 0, b = 0;

	for (;;) {
		uint64_t same = common_prefix(blocks->a + a, blocks->b + b,
			smaller(blocks->a_size - a, blocks->b_size - b));
		struct change change = { .a = a + same, .b = b + same };

		a = change.a;
		b = change.b;
		if (a == blocks->a_size && b == blocks->b_size)
			return 0;
		if (changes->count < CHANGES_MOST && find_together(blocks, &a, &b)) {
			same = common_suffix(
				blocks->a + a, blocks->b + b, smaller(a - change.a, b - change.b));
			a -= same;
			b -= same;
		} else {
			a = blocks->a_size;
			b = blocks->b_size;
		}
		change.a_count = a - change.a;
		change.b_count = b - change.b;
		if (changes_add(changes, &change))
			return -1;
	}
}

int resync(const unsigned char *a, uint64_t a_size, const unsigned char *b, uint64_t b_size,
	struct changes *changes)
{
	struct blocks blocks = { .a = a, .b = b, .a_size = a_size, .b_size = b_size };
	int failed;

	blocks.size = a_size / BLOCKS_MOST + 1;
	if (blocks.size < BLOCK_LEAST)
		blocks.size = BLOCK_LEAST;
	blocks.work = WORK_PER_BYTE * (a_size + b_size) + WORK_LEAST;
	if (blocks.work > WORK_MOST)
		blocks.work = WORK_MOST;
	failed = blocks_prepare(&blocks) || walk(&blocks, changes);
	free(blocks.slots);
	free(blocks.list);
	free(blocks.filter);
	return failed ? -1 : 0;
}
