/* The generator's block function against the vectors of RFC 8439. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "guest/chacha.h"

/* Section 2.3.2. */
static void block_of_counted_key(void **state)
{
	static const uint8_t expected[CHACHA_BLOCK] = { 0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59,
		0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4, 0xc7, 0xd1, 0xf4, 0xc7, 0x33,
		0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e, 0xd2, 0x82, 0x64,
		0x46, 0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2, 0xb5,
		0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c,
		0x4e };
	const uint32_t nonce[3] = { 0x09000000, 0x4a000000, 0 };
	uint8_t bytes[32], out[CHACHA_BLOCK];
	uint32_t key[8];

	(void)state;
	for (int i = 0; i < 32; i++)
		bytes[i] = (uint8_t)i;
	memcpy(key, bytes, sizeof(key));
	chacha_block(key, 1, nonce, out);
	assert_memory_equal(out, expected, sizeof(expected));
}

/* Appendix A.1, vectors 1 and 2: nothing but zeros does not give zeros. */
static void blocks_of_zero_key(void **state)
{
	static const uint8_t first[16] = { 0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40,
		0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28 };
	static const uint8_t second[16] = { 0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98,
		0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08, 0x0d };
	const uint32_t key[8] = { 0 }, nonce[3] = { 0 };
	uint8_t out[CHACHA_BLOCK];

	(void)state;
	chacha_block(key, 0, nonce, out);
	assert_memory_equal(out, first, sizeof(first));
	chacha_block(key, 1, nonce, out);
	assert_memory_equal(out, second, sizeof(second));
}

/* Appendix A.1, vector 5: the nonce counts to its last byte. */
static void block_of_last_nonce_byte(void **state)
{
	static const uint8_t expected[16] = { 0xc2, 0xc6, 0x4d, 0x37, 0x8c, 0xd5, 0x36, 0x37, 0x4a,
		0xe2, 0x04, 0xb9, 0xef, 0x93, 0x3f, 0xcd };
	const uint32_t key[8] = { 0 }, nonce[3] = { 0, 0, 0x02000000 };
	uint8_t out[CHACHA_BLOCK];

	(void)state;
	chacha_block(key, 0, nonce, out);
	assert_memory_equal(out, expected, sizeof(expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_of_counted_key),
		cmocka_unit_test(blocks_of_zero_key),
		cmocka_unit_test(block_of_last_nonce_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
