/* Keys are looked for, and linked. */
#include "guest/keys_calls.h"
#include "guest/sys.h"

#include <linux/keyctl.h>

#define CALLOUT_MAX 4096u /* bytes of what a program that makes keys is told, with the last */

/* A key that was found, as the caller of search or request wants it. */
long key_attach(const struct key_caller *caller, struct key_held held, struct key *ring)
{
	long r = ring ? key_permitted(caller, held, KEY_LINK) : 0;

	if (r == 0 && ring)
		r = ring_link(caller, ring, held.key);
	return r ? r : held.key->serial;
}

/* From `start`, or in what the caller has: the key, which is put into `ring` too, if there is one. */
static long find(
	struct key_search *search, const char *type, const struct key_held *start, struct key *ring)
{
	long r;

	search->type = key_type_named(type);
	if (search->type == KEY_TYPES)
		return -ENOKEY;
	r = start ? key_search(search, *start) : key_search_own(search);
	if (r)
		return r == -EAGAIN ? -ENOKEY : r;
	return key_attach(search->caller,
		(struct key_held){ search->found, !start || start->possessed }, ring);
}

/* What the kernel has done by /sbin/request-key is done by nobody here. */
long key_request(struct key_caller *caller, const uint64_t a[5])
{
	char type[KEY_TYPE_NAME_MAX], description[KEY_DESCRIPTION_MAX];
	struct key_search search = { .caller = caller, .description = description };
	struct key *ring;
	long r = key_take_type(a[0], type);

	if (r == 0)
		r = key_take_string(a[1], description, sizeof(description));
	if (r == 0 && a[2]) {
		r = string_length(a[2], CALLOUT_MAX);
		r = r == CALLOUT_MAX ? -EINVAL : r < 0 ? r : 0;
	}
	if (r == 0)
		r = key_take_ring(caller, (uint32_t)a[3], &ring);
	return r ? r : find(&search, type, NULL, ring);
}

long keyctl_search(struct key_caller *caller, const uint64_t a[5])
{
	char type[KEY_TYPE_NAME_MAX], description[KEY_DESCRIPTION_MAX];
	struct key_search search = { .caller = caller, .description = description };
	struct key_held start;
	struct key *ring;
	long r = key_take_type(a[1], type);

	if (r == 0)
		r = key_take_string(a[2], description, sizeof(description));
	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], 0, KEY_SEARCH, &start);
	if (r == 0)
		r = key_take_ring(caller, (uint32_t)a[3], &ring);
	return r ? r : find(&search, type, &start, ring);
}

long keyctl_link(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held ring, held;
	long r = key_lookup(caller, (int32_t)a[1], KEY_CREATE, KEY_WRITE, &ring);

	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_LINK, &held);
	return r ? r : ring_link(caller, ring.key, held.key);
}

long keyctl_unlink(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held ring, held;
	long r = key_lookup(caller, (int32_t)a[1], 0, KEY_WRITE, &ring);

	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], 0, KEY_NO_NEED, &held);
	return r ? r : ring_unlink(ring.key, held.key);
}

long keyctl_move(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held, from, to;
	uint32_t flags = (uint32_t)a[3];
	long r;

	if (flags & ~KEYCTL_MOVE_EXCL)
		return -EINVAL;
	r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_LINK, &held);
	if (r == 0)
		r = key_lookup(caller, (int32_t)a[1], 0, KEY_WRITE, &from);
	if (r == 0)
		r = key_lookup(caller, (int32_t)a[2], KEY_CREATE, KEY_WRITE, &to);
	return r ? r : ring_move(caller, held.key, from.key, to.key, flags & KEYCTL_MOVE_EXCL);
}

long keyctl_clear(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_WRITE, &held);

	if (r)
		return r;
	if (held.key->type != KEY_RING)
		return -ENOTDIR;
	ring_clear(held.key);
	return 0;
}

/* Without a type: it takes no more links. The types that there are have no other restrictions. */
long keyctl_restrict(struct key_caller *caller, const uint64_t a[5])
{
	char type[KEY_TYPE_NAME_MAX];
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_SETATTR, &held);

	if (r)
		return r;
	if (!a[1] != !a[2])
		return -EINVAL;
	if (a[1]) {
		r = key_take_type(a[1], type);
		if (r)
			return r;
		r = string_length(a[2], PAGE);
		if (r < 0 || r == PAGE)
			return r < 0 ? r : -EINVAL;
	}
	if (held.key->type != KEY_RING)
		return -ENOTDIR;
	if (a[1])
		return key_type_named(type) == KEY_TYPES ? -ENOKEY : -ENOENT;
	if (held.key->flags & KEY_RESTRICTED)
		return -EEXIST;
	held.key->flags |= KEY_RESTRICTED;
	return 0;
}
