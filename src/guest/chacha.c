#include "guest/chacha.h"

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);

static uint32_t rotate(uint32_t word, int bits)
{
	return word << bits | word >> (32 - bits);
}

/* Words stay in registers when everything is inline. */
static inline __attribute__((always_inline)) void quarter(
	uint32_t x[16], int a, int b, int c, int d)
{
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 16);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 12);
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 8);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 7);
}

void chacha_block(
	const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], uint8_t out[CHACHA_BLOCK])
{
	const uint32_t start[16] = { 0x61707865, 0x3320646e, 0x79622d32,
		0x6b206574, /* "expand ..." */
		key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7], counter, nonce[0],
		nonce[1], nonce[2] };
	uint32_t x[16];

	for (int i = 0; i < 16; i++)
		x[i] = start[i];
	for (int round = 0; round < 20; round += 2) {
		quarter(x, 0, 4, 8, 12);
		quarter(x, 1, 5, 9, 13);
		quarter(x, 2, 6, 10, 14);
		quarter(x, 3, 7, 11, 15);
		quarter(x, 0, 5, 10, 15);
		quarter(x, 1, 6, 11, 12);
		quarter(x, 2, 7, 8, 13);
		quarter(x, 3, 4, 9, 14);
	}
	for (int i = 0; i < 16; i++)
		x[i] += start[i];
	memcpy(out, x, CHACHA_BLOCK); /* little-endian, as this machine is */
}
