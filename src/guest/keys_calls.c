/* add_key, request_key and the operations of keyctl: arguments are checked in the kernel's order,
 * which programs can tell by the errors. */
#include "guest/children.h"
#include "guest/handlers.h"
#include "guest/keys.h"
#include "guest/task.h"
#include "guest/text.h"
#include "guest/turn.h"

#include <linux/keyctl.h>

#define TYPE_MAX	 32u		   /* bytes of a type's name, with the one that ends it */
#define CALLOUT_MAX	 4096u		   /* likewise of what a program that makes keys is told */
#define PAYLOAD_ARGUMENT (1024 * 1024 - 1) /* whatever the type */
#define VECTOR_MAX	 1024u		   /* UIO_MAXIOV */
#define OVERFLOW_ID	 65534u		   /* shown of what is nobody's */

#define SAME_ID		 0xffffffffu /* of chown: as it is */
#define MASKS                                                                                      \
	(KEY_POSSESSOR(KEY_ALL) | KEY_OWNER(KEY_ALL) | KEY_GROUP(KEY_ALL) | KEY_OTHER(KEY_ALL))

typedef long key_operation(struct key_caller *caller, const uint64_t a[4]);

static long take_string(uint64_t from, char *to, uint32_t room)
{
	long length = string_length(from, room);

	if (length < 0)
		return length;
	if (length >= room)
		return -EINVAL;
	to[length] = 0;
	return copy_in(to, from, (size_t)length);
}

/* Names with a dot are for the kernel's own types. */
static long take_type(uint64_t from, char name[TYPE_MAX])
{
	long r = take_string(from, name, TYPE_MAX);

	if (r)
		return r;
	if (!name[0])
		return -EINVAL;
	return name[0] == '.' ? -EPERM : 0;
}

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

static long add(struct key_caller *caller, const uint64_t a[5])
{
	char type[TYPE_MAX] = { 0 }, description[KEY_DESCRIPTION_MAX];
	struct payload payload;
	struct key_held ring;
	long r;

	if (a[3] > PAYLOAD_ARGUMENT)
		return -EINVAL;
	r = take_type(a[0], type);
	description[0] = 0;
	if (r == 0 && a[1])
		r = take_string(a[1], description, sizeof(description));
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

/* A key that was found, as the caller of search or request wants it. */
static long attach(const struct key_caller *caller, struct key_held held, struct key *ring)
{
	long r = ring ? key_permitted(caller, held, KEY_LINK) : 0;

	if (r == 0 && ring)
		r = ring_link(caller, ring, held.key);
	return r ? r : held.key->serial;
}

static long find_ring(struct key_caller *caller, uint64_t id, struct key **ring)
{
	struct key_held held = { NULL, false };
	long r = id ? key_lookup(caller, (int32_t)id, KEY_CREATE, KEY_WRITE, &held) : 0;

	*ring = held.key;
	return r;
}

/* What the kernel has done by /sbin/request-key is done by nobody here. */
static long request(struct key_caller *caller, const uint64_t a[4])
{
	char type[TYPE_MAX], description[KEY_DESCRIPTION_MAX];
	struct key_search search = { .caller = caller, .description = description };
	struct key *ring;
	long r = take_type(a[0], type);

	if (r == 0)
		r = take_string(a[1], description, sizeof(description));
	if (r == 0 && a[2]) {
		r = string_length(a[2], CALLOUT_MAX);
		r = r == CALLOUT_MAX ? -EINVAL : r < 0 ? r : 0;
	}
	if (r == 0)
		r = find_ring(caller, (uint32_t)a[3], &ring);
	if (r)
		return r;
	search.type = key_type_named(type);
	if (search.type == KEY_TYPES)
		return -ENOKEY;
	r = key_search_own(&search);
	if (r)
		return r == -EAGAIN ? -ENOKEY : r;
	return attach(caller, (struct key_held){ search.found, true }, ring);
}

static long get_keyring_id(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held held;
	long r = key_lookup(
		caller, (int32_t)a[0], (uint32_t)a[1] ? KEY_CREATE : 0, KEY_SEARCH, &held);

	return r ? r : held.key->serial;
}

static long join_session(struct key_caller *caller, const uint64_t a[4])
{
	char name[KEY_DESCRIPTION_MAX];
	long r;

	if (!a[0])
		return key_join_session(caller, NULL);
	r = take_string(a[0], name, sizeof(name));
	if (r == 0 && name[0] == '.')
		r = -EPERM;
	return r ? r : key_join_session(caller, name);
}

static long update(struct key_caller *caller, const uint64_t a[4])
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

static long revoke(struct key_caller *caller, const uint64_t a[4])
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

static long change_owner(struct key_caller *caller, const uint64_t a[4])
{
	uint32_t uid = (uint32_t)a[1], gid = (uint32_t)a[2];
	struct key_held held;
	struct key *key;
	long r;

	if (uid == SAME_ID && gid == SAME_ID)
		return 0;
	r = key_lookup(caller, (int32_t)a[0], KEY_CREATE | KEY_PARTIAL, KEY_SETATTR, &held);
	if (r)
		return r;
	key = held.key;
	if (!key_caller_is_root(caller) &&
		((uid != SAME_ID && uid != key->uid) ||
			(gid != SAME_ID && gid != key->gid && !key_caller_in_group(caller, gid))))
		return -EACCES;
	if (uid != SAME_ID && uid != key->uid)
		r = key_give(key, uid);
	if (r == 0 && gid != SAME_ID)
		key->gid = gid;
	return r;
}

static long set_permissions(struct key_caller *caller, const uint64_t a[4])
{
	uint32_t permissions = (uint32_t)a[1];
	struct key_held held;
	long r;

	if (permissions & ~MASKS)
		return -EINVAL;
	r = key_lookup(caller, (int32_t)a[0], KEY_CREATE | KEY_PARTIAL, KEY_SETATTR, &held);
	if (r)
		return r;
	if (!key_caller_is_root(caller) && held.key->uid != caller->fsuid)
		return -EACCES;
	held.key->permissions = permissions;
	return 0;
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
	return id == KEY_NO_ID ? OVERFLOW_ID : id;
}

/* "TYPE;UID;GID;PERMISSIONS;DESCRIPTION" */
static long describe(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held held;
	char text[64], *at;
	const struct key *key;
	long r = key_lookup(caller, (int32_t)a[0], KEY_PARTIAL, KEY_VIEW, &held);
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

static long clear(struct key_caller *caller, const uint64_t a[4])
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

static long link_key(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held ring, held;
	long r = key_lookup(caller, (int32_t)a[1], KEY_CREATE, KEY_WRITE, &ring);

	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], KEY_CREATE, KEY_LINK, &held);
	return r ? r : ring_link(caller, ring.key, held.key);
}

static long unlink_key(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held ring, held;
	long r = key_lookup(caller, (int32_t)a[1], 0, KEY_WRITE, &ring);

	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], KEY_PARTIAL, KEY_NO_NEED, &held);
	return r ? r : ring_unlink(ring.key, held.key);
}

static long move(struct key_caller *caller, const uint64_t a[4])
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

static long search(struct key_caller *caller, const uint64_t a[4])
{
	char type[TYPE_MAX], description[KEY_DESCRIPTION_MAX];
	struct key_search search = { .caller = caller, .description = description };
	struct key_held start;
	struct key *ring;
	long r = take_type(a[1], type);

	if (r == 0)
		r = take_string(a[2], description, sizeof(description));
	if (r == 0)
		r = key_lookup(caller, (int32_t)a[0], 0, KEY_SEARCH, &start);
	if (r == 0)
		r = find_ring(caller, (uint32_t)a[3], &ring);
	if (r)
		return r;
	search.type = key_type_named(type);
	if (search.type == KEY_TYPES)
		return -ENOKEY;
	r = key_search(&search, start);
	if (r)
		return r == -EAGAIN ? -ENOKEY : r;
	return attach(caller, (struct key_held){ search.found, start.possessed }, ring);
}

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
static long read_key(struct key_caller *caller, const uint64_t a[4])
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

/* These are for who was started to make a key, and that is nobody. */
static long instantiate(struct key_caller *caller, const uint64_t a[4])
{
	(void)caller;
	return a[2] > PAYLOAD_ARGUMENT ? -EINVAL : -EPERM;
}

static long instantiate_vector(struct key_caller *caller, const uint64_t a[4])
{
	uint64_t piece[2];

	(void)caller;
	if (!a[1])
		return -EPERM;
	if ((uint32_t)a[2] > VECTOR_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < (uint32_t)a[2]; i++)
		if (copy_in(piece, a[1] + i * sizeof(piece), sizeof(piece)))
			return -EFAULT;
	return -EPERM;
}

static long negate(struct key_caller *caller, const uint64_t a[4])
{
	(void)caller;
	(void)a;
	return -EPERM;
}

static long reject(struct key_caller *caller, const uint64_t a[4])
{
	uint32_t error = (uint32_t)a[2];

	(void)caller;
	/* Those from 512 on are the kernel's own, of calls that are made again. */
	if (error == 0 || error >= 4095 || (error >= 512 && error <= 514) || error == 516)
		return -EINVAL;
	return -EPERM;
}

static long assume_authority(struct key_caller *caller, const uint64_t a[4])
{
	(void)caller;
	if ((int32_t)a[0] < 0)
		return -EINVAL;
	return (int32_t)a[0] ? -ENOKEY : 0;
}

static long set_destination(struct key_caller *caller, const uint64_t a[4])
{
	int32_t wanted = (int32_t)a[0];
	uint32_t old = caller->rings->destination;
	long r = 0;

	if (wanted == KEY_REQKEY_DEFL_NO_CHANGE)
		return old;
	if (wanted < KEY_REQKEY_DEFL_DEFAULT || wanted > KEY_REQKEY_DEFL_REQUESTOR_KEYRING ||
		wanted == KEY_REQKEY_DEFL_GROUP_KEYRING)
		return -EINVAL;
	if (wanted == KEY_REQKEY_DEFL_THREAD_KEYRING)
		r = key_install_thread(caller);
	else if (wanted == KEY_REQKEY_DEFL_PROCESS_KEYRING)
		r = key_install_process(caller);
	if (r)
		return r;
	caller->rings->destination = (uint32_t)wanted;
	return old;
}

static long set_timeout(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], KEY_CREATE | KEY_PARTIAL, KEY_SETATTR, &held);

	if (r == 0)
		key_expires_in(held.key, caller->now, (uint32_t)a[1]);
	return r;
}

/* There are no labels. */
static long get_security(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], KEY_PARTIAL, KEY_VIEW, &held);

	if (r)
		return r;
	if (a[1] && a[2] && copy_out(a[1], "", 1))
		return -EFAULT;
	return 1;
}

/* Does the process act as the same user and group? */
static bool is_alike(const struct key_caller *caller, int32_t pid)
{
	struct kernel_stat st;
	char name[16];

	(void)caller;
	text_put_number(name, pid);
	return sys(__NR_newfstatat, FD_PROC, name, &st, 0) == 0 &&
	       st.uid == (uint32_t)sys(__NR_geteuid) && st.gid == (uint32_t)sys(__NR_getegid);
}

/* It must be of one thread, act as the same user, and have a session of that user's. */
static long session_to_parent(struct key_caller *caller, const uint64_t a[4])
{
	int32_t pid = turns_matter() ? child_parent(caller->self) : (int32_t)sys(__NR_getppid);
	const struct task *parent = pid > 1 ? task_find_process(pid) : NULL;
	const struct key *theirs;
	struct key_rings *rings;
	struct key_held session;
	long r = key_lookup(caller, KEY_SPEC_SESSION_KEYRING, 0, KEY_LINK, &session);

	(void)a;
	if (r)
		return r;
	if (!parent || parent->users != 1)
		return -EPERM;
	rings = &process.arena->key_rings[parent - process.arena->tasks];
	theirs = key_placed(rings->session);
	if (theirs == session.key)
		return 0;
	if (!is_alike(caller, pid) || session.key->uid != caller->fsuid ||
		(theirs && theirs->uid != caller->fsuid))
		return -EPERM;
	keys_replace(&rings->session, session.key);
	return 0;
}

static bool is_invalidated(const struct key *key, int64_t now)
{
	(void)now;
	return key->flags & KEY_INVALIDATED;
}

static long invalidate(struct key_caller *caller, const uint64_t a[4])
{
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_SEARCH, &held);

	if (r)
		return r;
	held.key->flags |= KEY_INVALIDATED;
	rings_purge(is_invalidated, 0);
	return 0;
}

static long get_persistent(struct key_caller *caller, const uint64_t a[4])
{
	uint32_t uid = (uint32_t)a[0] == SAME_ID ? caller->uid : (uint32_t)a[0];
	struct key *ring, *persistent;
	long r;

	if (uid != caller->uid && uid != (uint32_t)sys(__NR_geteuid) && !key_caller_is_root(caller))
		return -EPERM;
	if (!(uint32_t)a[1])
		return -EINVAL;
	r = find_ring(caller, (uint32_t)a[1], &ring);
	if (r)
		return r;
	if (ring->type != KEY_RING)
		return -ENOTDIR;
	r = key_persistent(uid, caller->now, &persistent);
	return r ? r : attach(caller, (struct key_held){ persistent, true }, ring);
}

/* Without a type: it takes no more links. The types that there are have no other restrictions. */
static long restrict_ring(struct key_caller *caller, const uint64_t a[4])
{
	char type[TYPE_MAX];
	struct key_held held;
	long r = key_lookup(caller, (int32_t)a[0], 0, KEY_SETATTR, &held);

	if (r)
		return r;
	if (!a[1] != !a[2])
		return -EINVAL;
	if (a[1]) {
		r = take_type(a[1], type);
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

/* Restrictions are not announced: whoever sees them expects those of keys with signatures. */
static long capabilities(struct key_caller *caller, const uint64_t a[4])
{
	static const uint8_t all[] = {
		KEYCTL_CAPS0_CAPABILITIES | KEYCTL_CAPS0_PERSISTENT_KEYRINGS |
			KEYCTL_CAPS0_INVALIDATE | KEYCTL_CAPS0_MOVE,
		KEYCTL_CAPS1_NS_KEYRING_NAME | KEYCTL_CAPS1_NS_KEY_TAG,
	};

	(void)caller;
	for (uint64_t i = 0; i < a[1]; i++)
		if (copy_out(a[0] + i, i < sizeof(all) ? &all[i] : (const uint8_t *)"", 1))
			return -EFAULT;
	return sizeof(all);
}

static key_operation *const operations[] = {
	[KEYCTL_GET_KEYRING_ID] = get_keyring_id,
	[KEYCTL_JOIN_SESSION_KEYRING] = join_session,
	[KEYCTL_UPDATE] = update,
	[KEYCTL_REVOKE] = revoke,
	[KEYCTL_CHOWN] = change_owner,
	[KEYCTL_SETPERM] = set_permissions,
	[KEYCTL_DESCRIBE] = describe,
	[KEYCTL_CLEAR] = clear,
	[KEYCTL_LINK] = link_key,
	[KEYCTL_UNLINK] = unlink_key,
	[KEYCTL_SEARCH] = search,
	[KEYCTL_READ] = read_key,
	[KEYCTL_INSTANTIATE] = instantiate,
	[KEYCTL_NEGATE] = negate,
	[KEYCTL_SET_REQKEY_KEYRING] = set_destination,
	[KEYCTL_SET_TIMEOUT] = set_timeout,
	[KEYCTL_ASSUME_AUTHORITY] = assume_authority,
	[KEYCTL_GET_SECURITY] = get_security,
	[KEYCTL_SESSION_TO_PARENT] = session_to_parent,
	[KEYCTL_REJECT] = reject,
	[KEYCTL_INSTANTIATE_IOV] = instantiate_vector,
	[KEYCTL_INVALIDATE] = invalidate,
	[KEYCTL_GET_PERSISTENT] = get_persistent,
	[KEYCTL_RESTRICT_KEYRING] = restrict_ring,
	[KEYCTL_MOVE] = move,
	[KEYCTL_CAPABILITIES] = capabilities,
};

static long run(struct thread *self, key_operation *operation, int from)
{
	const uint64_t a[5] = { argument(self, from), argument(self, from + 1),
		argument(self, from + 2), argument(self, from + 3), argument(self, 4) };
	struct key_caller caller;
	long r;

	keys_enter(self, &caller);
	r = operation(&caller, a);
	keys_leave();
	return r;
}

long handle_keyctl(struct thread *self)
{
	uint32_t number = (uint32_t)argument(self, 0);

	if (number >= sizeof(operations) / sizeof(operations[0]) || !operations[number])
		return -EOPNOTSUPP;
	return run(self, operations[number], 1);
}

long handle_add_key(struct thread *self)
{
	return run(self, add, 0);
}

long handle_request_key(struct thread *self)
{
	return run(self, request, 0);
}
