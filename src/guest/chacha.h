/*
 * The block function of ChaCha20 (RFC 8439, section 2.3): 64 bytes that are a function of key,
 * counter and nonce, and look like no function of them. Freestanding; uses nobody.
 */
#ifndef STET_GUEST_CHACHA_H
#define STET_GUEST_CHACHA_H

#include <stdint.h>

#define CHACHA_BLOCK 64

void chacha_block(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3],
	uint8_t out[CHACHA_BLOCK]);

#endif
