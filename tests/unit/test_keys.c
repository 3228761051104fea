/* The store of keys: what is made, linked and dropped at random leaves nothing behind, and is found
 * by its number meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "guest/facts.h"
#include "guest/keys.h"
#include "guest/random.h"
#include "guest/sys.h"
#include "guest/task.h"

struct process process;
static struct facts facts;

/* The parts of the guest that a store needs none of. */
long sys_do(long number, long a, long b, long c, long d, long e, long f)
{
	(void)number, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	return 0;
}

long copy_in(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, (const void *)from, bytes);
	return 0;
}

long copy_out(uint64_t to, const void *from, size_t bytes)
{
	memcpy((void *)to, from, bytes);
	return 0;
}

struct facts *facts_of_process(const struct thread *self)
{
	(void)self;
	return &facts;
}

char task_state(uint32_t index)
{
	(void)index;
	return 'R';
}

/* Few numbers, so that some are met again. */
uint32_t random_key_serial(uint64_t made)
{
	return (uint32_t)(made * 7919 % 4099) << 1;
}

void keys_replace(uint32_t *place, struct key *ring)
{
	(void)place, (void)ring;
}

static uint32_t random_below(uint32_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % limit;
}

static struct key *make(enum key_type type, const char *description, uint32_t uid)
{
	const struct key_plan plan = { .type = type, .description = description, .uid = uid };
	struct key *key = NULL;

	assert_int_equal(key_make(&plan, &key), 0);
	assert_ptr_equal(key_with_serial(key->serial), key);
	return key;
}

static uint32_t free_pieces(void)
{
	const struct key_store *store = key_store();
	uint32_t count = 0;

	for (uint32_t at = store->pieces_free; at; at = store->pieces[at - 1].next)
		count++;
	return count;
}

static void assert_empty(void)
{
	const struct key_store *store = key_store();

	assert_int_equal(store->count, 0);
	assert_int_equal(free_pieces(), store->pieces_used);
	for (uint32_t i = 0; i < store->users; i++) {
		assert_int_equal(store->user[i].keys, 0);
		assert_int_equal(store->user[i].counted_keys, 0);
		assert_int_equal(store->user[i].counted_bytes, 0);
	}
}

static int begin(void **state)
{
	(void)state;
	process.arena = calloc(1, sizeof(*process.arena));
	return !process.arena;
}

static int end(void **state)
{
	(void)state;
	free(process.arena);
	return 0;
}

#define RINGS 8
#define STEPS 20000

static void random_links_leave_nothing(void **state)
{
	const struct key_caller caller = { 0 };
	struct key *rings[RINGS];
	char name[600];

	(void)state;
	for (int i = 0; i < RINGS; i++) {
		snprintf(name, sizeof(name), "ring %d", i);
		rings[i] = make(KEY_RING, name, 0);
	}
	for (int i = 0; i < STEPS; i++) {
		struct key *ring = rings[random_below(RINGS)], *other = rings[random_below(RINGS)];
		struct key *key;
		long r;

		snprintf(name, sizeof(name), "%u%*s", random_below(50), (int)random_below(500), "");
		switch (random_below(4)) {
		case 0:
			r = ring_link(&caller, ring, other);
			assert_true(r == 0 || r == -EDEADLK || r == -ELOOP);
			break;
		case 1:
			ring_unlink(ring, other);
			break;
		case 2:
			ring_clear(ring);
			break;
		default:
			key = make(KEY_USER, name, 0);
			assert_int_equal(bytes_set(&key->payload, name, 100), 0);
			assert_int_equal(ring_link(&caller, ring, key), 0);
			assert_true(ring_has(ring, key));
			assert_ptr_equal(ring_find(ring, KEY_USER, name), key);
			key_drop(key);
		}
		keys_leave();
	}
	for (int i = 0; i < RINGS; i++)
		key_drop(rings[i]);
	keys_leave();
	assert_empty();
}

static void links_keep_their_order(void **state)
{
	const struct key_caller caller = { 0 };
	struct key *ring = make(KEY_RING, "ordered", 0), *keys[100], *key;
	struct key_cursor cursor;
	char name[16];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d", i);
		keys[i] = make(KEY_USER, name, 0);
		assert_int_equal(ring_link(&caller, ring, keys[i]), 0);
		key_drop(keys[i]);
	}
	for (int i = 0; i < 100; i += 3)
		assert_int_equal(ring_unlink(ring, keys[i]), 0);
	cursor = bytes_begin(&ring->payload);
	for (int i = 0; i < 100; i++)
		if (i % 3)
			assert_ptr_equal(ring_next(&cursor), keys[i]);
	key = ring_next(&cursor);
	assert_null(key);
	key_drop(ring);
	keys_leave();
	assert_empty();
}

static void quota_is_exact(void **state)
{
	const struct key_plan plan = { .type = KEY_USER, .description = "q", .uid = 1 };
	struct key *key = make(KEY_USER, "big", 1), *other = NULL;

	(void)state;
	assert_int_equal(key_reserve(key, KEY_MAX_BYTES - 4 + 1), -EDQUOT);
	assert_int_equal(key_reserve(key, KEY_MAX_BYTES - 4 - 1), 0);
	assert_int_equal(key_make(&plan, &other), -EDQUOT);
	assert_int_equal(key_reserve(key, 10), 0);
	assert_int_equal(key_make(&plan, &other), 0);
	assert_int_equal(key_give(other, 2), 0);
	assert_int_equal(key_user_of(1)->counted_bytes, 4 + 10);
	assert_int_equal(key_user_of(2)->counted_bytes, 2);
	key_drop(key);
	key_drop(other);
	keys_leave();
	assert_empty();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_links_leave_nothing),
		cmocka_unit_test(links_keep_their_order),
		cmocka_unit_test(quota_is_exact),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
