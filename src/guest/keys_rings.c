/* Links of keyrings: in the order in which they were made. */
#include "guest/keys.h"
#include "guest/sys.h"

struct key *ring_next(struct key_cursor *cursor)
{
	const uint32_t *place = bytes_next_word(cursor);

	return place ? key_at(*place) : NULL;
}

struct key *ring_find(const struct key *ring, uint32_t type, const char *description)
{
	struct key_cursor cursor = bytes_begin(&ring->payload);
	uint32_t length = (uint32_t)strlen(description);
	struct key *key;

	while ((key = ring_next(&cursor)))
		if (key->type == type && bytes_equal(&key->description, description, length))
			return key;
	return NULL;
}

bool ring_has(const struct key *ring, const struct key *key)
{
	struct key_cursor cursor = bytes_begin(&ring->payload);
	const struct key *one;

	while ((one = ring_next(&cursor)))
		if (one == key)
			return true;
	return false;
}

static bool same_bytes(const struct key_bytes *a, const struct key_bytes *b)
{
	struct key_cursor at[2] = { bytes_begin(a), bytes_begin(b) };
	const uint8_t *part[2];
	uint32_t length;

	if (a->length != b->length)
		return false;
	while ((part[0] = bytes_next_part(&at[0], &length)) &&
		(part[1] = bytes_next_part(&at[1], &length)))
		if (memcmp(part[0], part[1], length) != 0)
			return false;
	return true;
}

/* Where the link is that one to `key` displaces, or NULL. */
static uint32_t *displaced(const struct key *ring, const struct key *key)
{
	struct key_cursor cursor = bytes_begin(&ring->payload);
	uint32_t *place;

	while ((place = bytes_next_word(&cursor))) {
		const struct key *one = key_at(*place);

		if (one->type == key->type && one->hash == key->hash &&
			same_bytes(&one->description, &key->description))
			return place;
	}
	return NULL;
}

/* No keyring may come to lie in itself. */
static long lies_in(const struct key_caller *caller, const struct key *wanted, struct key *ring)
{
	struct key_search search = {
		.caller = caller,
		.wanted = wanted,
		.any_state = true,
		.unasked = true,
		.too_deep = true,
	};
	long r = key_search(&search, (struct key_held){ ring, false });

	return r == 0 ? -EDEADLK : r == -EAGAIN ? 0 : r;
}

static long may_link(const struct key_caller *caller, const struct key *ring, struct key *key)
{
	if (ring->flags & KEY_RESTRICTED)
		return -EPERM;
	return key->type == KEY_RING ? lies_in(caller, ring, key) : 0;
}

static long put_link(struct key *ring, struct key *key)
{
	uint32_t *old = displaced(ring, key);
	long r;

	if (old) {
		key_hold(key);
		key_drop(key_at(*old));
		*old = key_place(key) - 1;
		return 0;
	}
	r = key_reserve(ring, ring->payload.length + KEY_LINK_BYTES);
	if (r == 0)
		r = bytes_add_word(&ring->payload, key_place(key) - 1);
	if (r)
		key_reserve(ring, ring->payload.length);
	else
		key_hold(key);
	return r;
}

long ring_link(const struct key_caller *caller, struct key *ring, struct key *key)
{
	long r;

	if (ring->type != KEY_RING)
		return -ENOTDIR;
	r = may_link(caller, ring, key);
	return r ? r : put_link(ring, key);
}

/* Keeps the links for which nobody says otherwise, in their order. */
static void filter(struct key *ring, ring_judge *goes, const struct key *gone, int64_t now)
{
	struct key_cursor from = bytes_begin(&ring->payload), to = from;
	uint32_t kept = 0, *place;

	while ((place = bytes_next_word(&from))) {
		struct key *key = key_at(*place);

		if (key == gone || (goes && goes(key, now))) {
			key_drop(key);
			continue;
		}
		*bytes_next_word(&to) = key_place(key) - 1;
		kept += KEY_LINK_BYTES;
	}
	if (kept == ring->payload.length)
		return;
	bytes_cut(&ring->payload, kept);
	key_reserve(ring, kept);
}

long ring_unlink(struct key *ring, const struct key *key)
{
	if (ring->type != KEY_RING)
		return -ENOTDIR;
	if (!ring_has(ring, key))
		return -ENOENT;
	filter(ring, NULL, key, 0);
	return 0;
}

static bool every(const struct key *key, int64_t now)
{
	(void)key;
	(void)now;
	return true;
}

void ring_clear(struct key *ring)
{
	filter(ring, every, NULL, 0);
}

void rings_purge(ring_judge *goes, int64_t now)
{
	struct key_store *store = key_store();

	for (uint32_t i = 0; i < store->count; i++)
		if (key_at(store->sorted[i])->type == KEY_RING)
			filter(key_at(store->sorted[i]), goes, NULL, now);
}

long ring_move(const struct key_caller *caller, struct key *key, struct key *from, struct key *to,
	bool exclusive)
{
	long r;

	if (from == to)
		return 0;
	if (from->type != KEY_RING || to->type != KEY_RING)
		return -ENOTDIR;
	if (!ring_has(from, key))
		return -ENOENT;
	if (exclusive && displaced(to, key))
		return -EEXIST;
	r = may_link(caller, to, key);
	if (r == 0)
		r = put_link(to, key);
	return r ? r : ring_unlink(from, key);
}
