/* The way through keyrings to a key: first what a keyring has itself, then the keyrings in it. */
#include "guest/keys.h"
#include "guest/sys.h"

#define DEPTH_MAX 6 /* keyrings below the first one */

static bool matches(const struct key_search *search, const struct key *key)
{
	if (search->wanted)
		return key == search->wanted;
	return key->type == search->type && bytes_equal(&key->description, search->description,
						    (uint32_t)strlen(search->description));
}

static long unusable(const struct key_search *search, const struct key *key)
{
	if (search->any_state)
		return 0;
	if (key->flags & (KEY_INVALIDATED | KEY_REVOKED))
		return -EKEYREVOKED;
	return key_is_expired(key, search->caller->now) ? -EKEYEXPIRED : 0;
}

/* A key that matches: 0 when it can be had. */
static long judge(struct key_search *search, struct key_held held)
{
	long r = unusable(search, held.key);

	if (r == 0 && !search->unasked)
		r = key_permitted(search->caller, held, KEY_SEARCH);
	if (r == 0)
		search->found = held.key;
	return r;
}

/* Among the links of one keyring; `result` is kept when none matches. */
static long look_in(struct key_search *search, const struct key *ring, bool possessed, long result)
{
	struct key_cursor cursor = bytes_begin(&ring->payload);
	struct key *key;

	while ((key = ring_next(&cursor)))
		if (matches(search, key))
			return judge(search, (struct key_held){ key, possessed });
	return result;
}

static bool is_closed(const struct key *ring)
{
	return ring->flags & (KEY_INVALIDATED | KEY_REVOKED);
}

/* The next keyring below that may be searched, or NULL. */
static struct key *descend(
	const struct key_search *search, struct key_cursor *cursor, bool possessed)
{
	struct key *key;

	while ((key = ring_next(cursor)))
		if (key->type == KEY_RING &&
			(search->unasked ||
				key_permitted(search->caller, (struct key_held){ key, possessed },
					KEY_SEARCH) == 0))
			return key;
	return NULL;
}

static long walk(struct key_search *search, struct key_held first)
{
	struct key_cursor below[DEPTH_MAX + 1];
	struct key *ring = first.key;
	long result = -EAGAIN;
	int depth = 0;

	for (;;) {
		below[depth] = (struct key_cursor){ 0 };
		if (!is_closed(ring)) {
			result = look_in(search, ring, first.possessed, result);
			if (result == 0)
				return 0;
			below[depth] = bytes_begin(&ring->payload);
		}
		while (!(ring = descend(search, &below[depth], first.possessed)) ||
			depth == DEPTH_MAX) {
			if (ring && search->too_deep)
				return -ELOOP;
			if (!ring && depth-- == 0)
				return result;
		}
		depth++;
	}
}

long key_search(struct key_search *search, struct key_held ring)
{
	long r;

	if (ring.key->type != KEY_RING)
		return -ENOTDIR;
	r = search->unasked ? 0 : key_permitted(search->caller, ring, KEY_SEARCH);
	if (r == 0 && matches(search, ring.key))
		return judge(search, ring);
	return r ? r : walk(search, ring);
}

/* Of all that is not found, a key that may not be had says more than one that is not there: unless
 * some keyring was searched in vain. */
long key_search_own(struct key_search *search)
{
	const struct key_rings *rings = search->caller->rings;
	const struct key_user *user = key_user_of(search->caller->uid);
	uint32_t session = rings->session ? rings->session : user ? user->session : 0;
	const uint32_t places[] = { rings->thread, rings->process, session };
	long vain = 0, error = -EAGAIN;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		long r;

		if (!places[i])
			continue;
		r = key_search(search, (struct key_held){ key_placed(places[i]), true });
		if (r == 0)
			return 0;
		if (r == -EAGAIN)
			vain = r;
		else
			error = r;
	}
	return vain ? vain : error;
}
