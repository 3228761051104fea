/* What keys hold, who may have them, and when they end. */
#include "guest/keys_calls.h"
#include "guest/sys.h"
#include "guest/text.h"

#define MASKS                                                                                      \
	(KEY_POSSESSOR(KEY_ALL) | KEY_OWNER(KEY_ALL) | KEY_GROUP(KEY_ALL) | KEY_OTHER(KEY_ALL))

static long read_links(const struct key *ring, uint64_t to)
{
	struct key_cursor cursor = bytes_begin(&ring->payload);
	const struct key *key;

	for (; (key = ring_next(&cursor)); to += sizeof(key->serial))
		if (copy_out(to, &key->serial, sizeof(key->serial)))
			return -EFAULT;
	return 0;
}

/* Possession is enough, or permission. What does not fit is not given in part. */
long keyctl_read(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	const struct key *key;
	long r;

	if (key_lookup(caller, (int32_t)a[0], 0, KEY_DEFERRED, &held))
		return -ENOKEY;
	key = held.key;
	r = key_permitted(caller, held, KEY_READ);
	if (r && !held.possessed)
		return r;
	if (!key_type_reads(key->type))
		return -EOPNOTSUPP;
	r = key_usable(caller, key);
	if (r)
		return r;
	if (a[1] && a[2] >= key->payload.length)
		r = key->type == KEY_RING ? read_links(key, a[1])
					  : bytes_to_program(&key->payload, a[1]);
	return r ? r : (long)key->payload.length;
}

static char *put_hex(char *at, uint32_t number)
{
	static const char digits[] = "0123456789abcdef";

	for (int shift = 28; shift >= 0; shift -= 4)
		*at++ = digits[number >> shift & 15];
	return at;
}

static uint32_t shown_id(uint32_t id)
{
	return id == KEY_NO_ID ? KEY_OVERFLOW_ID : id;
}

/* "TYPE;UID;GID;PERMISSIONS;DESCRIPTION" */
long keyctl_describe(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	char text[64], *at;
	const struct key *key;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_VIEW, &held);
	uint64_t length;

	if (r)
		return r;
	key = held.key;
	at = text_put(text_put(text, key_type_names[key->type]), ";");
	at = text_put(text_put_number(at, shown_id(key->uid)), ";");
	at = text_put(text_put_number(at, shown_id(key->gid)), ";");
	at = text_put(put_hex(at, key->permissions), ";");
	length = (uint64_t)(at - text) + key->description.length + 1;
	if (!a[1] || a[2] < length)
		return (long)length;
	if (copy_out(a[1], text, (size_t)(at - text)) ||
		bytes_to_program(&key->description, a[1] + (uint64_t)(at - text)) ||
		copy_out(a[1] + length - 1, "", 1))
		return -EFAULT;
	return (long)length;
}

/* There are no labels. */
long keyctl_get_security(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_VIEW, &held);

	if (r)
		return r;
	if (a[1] && a[2] && copy_out(a[1], "", 1))
		return -EFAULT;
	return 1;
}

long keyctl_chown(struct key_caller *caller, const uint64_t a[5])
{
	uint32_t uid = (uint32_t)a[1], gid = (uint32_t)a[2];
	struct key_held held;
	struct key *key;
	long r;

	if (uid == KEY_SAME_ID && gid == KEY_SAME_ID)
		return 0;
	r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_SETATTR, &held);
	if (r)
		return r;
	key = held.key;
	if (!key_caller_is_root(caller) && ((uid != KEY_SAME_ID && uid != key->uid) ||
						   (gid != KEY_SAME_ID && gid != key->gid &&
							   !key_caller_in_group(caller, gid))))
		return -EACCES;
	if (uid != KEY_SAME_ID && uid != key->uid)
		r = key_give(key, uid);
	if (r == 0 && gid != KEY_SAME_ID)
		key->gid = gid;
	return r;
}

long keyctl_setperm(struct key_caller *caller, const uint64_t a[5])
{
	uint32_t permissions = (uint32_t)a[1];
	struct key_held held;
	long r;

	if (permissions & ~MASKS)
		return -EINVAL;
	r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_SETATTR, &held);
	if (r)
		return r;
	if (!key_caller_is_root(caller) && held.key->uid != caller->fsuid)
		return -EACCES;
	held.key->permissions = permissions;
	return 0;
}

long keyctl_set_timeout(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_SETATTR, &held);

	if (r == 0)
		key_expires_in(held.key, caller->now, (uint32_t)a[1]);
	return r;
}

long keyctl_revoke(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_WRITE, &held);

	if (r == -EACCES)
		r = key_lookup(caller, (int32_t)a[0], 0, KEY_SETATTR, &held);
	if (r)
		return r;
	held.key->flags |= KEY_REVOKED;
	if (held.key->type == KEY_RING)
		ring_clear(held.key);
	else
		bytes_free(&held.key->payload);
	return key_reserve(held.key, held.key->payload.length);
}

static bool is_invalidated(const struct key *key, int64_t now)
{
	(void)now;
	return key->flags & KEY_INVALIDATED;
}

long keyctl_invalidate(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_SEARCH, &held);

	if (r)
		return r;
	held.key->flags |= KEY_INVALIDATED;
	rings_purge(is_invalidated, 0);
	return 0;
}
