/* Keys are made, and get another payload. */
#include "guest/keys_calls.h"
#include "guest/sys.h"

/* What a program gives as payload: as long as it says, though no type takes so much. */
struct payload {
	struct key_bytes bytes;
	uint32_t length;
};

static long take_payload(struct payload *payload, uint64_t from, uint64_t length)
{
	char dropped[512];

	payload->bytes = (struct key_bytes){ 0 };
	payload->length = (uint32_t)length;
	if (length <= KEY_PAYLOAD_MAX)
		return bytes_from_program(&payload->bytes, from, (uint32_t)length);
	for (uint64_t at = 0; at < length; at += sizeof(dropped)) {
		uint64_t left = length - at;

		if (copy_in(dropped, from + at, left < sizeof(dropped) ? left : sizeof(dropped)))
			return -EFAULT;
	}
	return 0;
}

static bool payload_suits(const struct payload *payload, uint32_t type)
{
	return type == KEY_RING ? !payload->length
				: payload->length && payload->length <= KEY_PAYLOAD_MAX;
}

/* It takes the payload over, and is as good as new. */
static long set_payload(struct key *key, struct payload *payload)
{
	struct key_bytes old = key->payload;
	long r = key_reserve(key, payload->bytes.length);

	if (r)
		return r;
	key->payload = payload->bytes;
	payload->bytes = old;
	key->expiry = 0;
	return 0;
}

static long update_key(
	const struct key_caller *caller, struct key_held held, struct payload *payload)
{
	long r = key_permitted(caller, held, KEY_WRITE);

	if (r)
		return r;
	r = set_payload(held.key, payload);
	return r ? r : held.key->serial;
}

static uint32_t new_permissions(uint32_t type)
{
	uint32_t own = KEY_ALL & ~(key_type_reads(type) ? 0u : KEY_READ);

	return KEY_POSSESSOR(own) | KEY_OWNER(KEY_VIEW);
}

static long create_key(const struct key_caller *caller, struct key *ring, enum key_type type,
	const char *description, struct payload *payload)
{
	const struct key_plan plan = {
		.type = type,
		.description = description,
		.uid = caller->fsuid,
		.gid = caller->fsgid,
		.permissions = new_permissions(type),
	};
	struct key *key;
	long r = key_make(&plan, &key);

	if (r)
		return r;
	r = type == KEY_RING ? 0 : set_payload(key, payload);
	if (r == 0)
		r = ring_link(caller, ring, key);
	key_drop(key);
	return r ? r : key->serial;
}

static long create_or_update(const struct key_caller *caller, struct key_held ring,
	enum key_type type, const char *description, struct payload *payload)
{
	struct key *old;

	if (type == KEY_TYPES)
		return -ENODEV;
	if (ring.key->type != KEY_RING)
		return -ENOTDIR;
	if (!payload_suits(payload, type) || !description[0])
		return -EINVAL;
	if (ring.key->flags & KEY_RESTRICTED)
		return -EPERM;
	old = key_type_updates(type) ? ring_find(ring.key, type, description) : NULL;
	if (old && !(old->flags & (KEY_REVOKED | KEY_INVALIDATED)))
		return update_key(caller, (struct key_held){ old, ring.possessed }, payload);
	return create_key(caller, ring.key, type, description, payload);
}

/* Keyrings with a dot are the kernel's own. */
static bool is_reserved(const char *type, const char *description)
{
	return description[0] == '.' && memcmp(type, "keyring", 7) == 0;
}

long key_add(struct key_caller *caller, const uint64_t a[5])
{
	char type[KEY_TYPE_NAME_MAX] = { 0 }, description[KEY_DESCRIPTION_MAX];
	struct payload payload;
	struct key_held ring;
	long r;

	if (a[3] > KEY_PAYLOAD_AT_MOST)
		return -EINVAL;
	r = key_take_type(a[0], type);
	description[0] = 0;
	if (r == 0 && a[1])
		r = key_take_string(a[1], description, sizeof(description));
	if (r)
		return r;
	if (is_reserved(type, description))
		return -EPERM;
	r = take_payload(&payload, a[2], a[3]);
	if (r)
		return r;
	r = key_lookup(caller, (int32_t)a[4], KEY_CREATE, KEY_WRITE, &ring);
	if (r == 0)
		r = create_or_update(caller, ring, key_type_named(type), description, &payload);
	bytes_free(&payload.bytes);
	return r;
}

long keyctl_update(struct key_caller *caller, const uint64_t a[5])
{
	struct payload payload;
	struct key_held held;
	long r;

	if (a[2] > PAGE)
		return -EINVAL;
	r = take_payload(&payload, a[1], a[2]);
	if (r)
		return r;
	r = key_lookup(caller, (int32_t)a[0], 0, KEY_WRITE, &held);
	if (r == 0 && !key_type_updates(held.key->type))
		r = -EOPNOTSUPP;
	if (r == 0 && !payload_suits(&payload, held.key->type))
		r = -EINVAL;
	if (r == 0)
		r = update_key(caller, held, &payload);
	bytes_free(&payload.bytes);
	return r > 0 ? 0 : r;
}
