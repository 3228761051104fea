/* add_key, request_key and the operations of keyctl: arguments are checked in the kernel's order,
 * which programs can tell by the errors. */
#include "guest/keys_calls.h"

#include "guest/handlers.h"

#include <linux/keyctl.h>

long key_take_string(uint64_t from, char *to, uint32_t room)
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
long key_take_type(uint64_t from, char name[KEY_TYPE_NAME_MAX])
{
	long r = key_take_string(from, name, KEY_TYPE_NAME_MAX);

	if (r)
		return r;
	if (!name[0])
		return -EINVAL;
	return name[0] == '.' ? -EPERM : 0;
}

long key_take_ring(struct key_caller *caller, uint64_t id, struct key **ring)
{
	struct key_held held = { NULL, false };
	long r = id ? key_lookup(caller, (int32_t)id, KEY_CREATE, KEY_WRITE, &held) : 0;

	*ring = held.key;
	return r;
}

/* Restrictions are not announced: whoever sees them expects those of keys with signatures. */
static long capabilities(struct key_caller *caller, const uint64_t a[5])
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
	[KEYCTL_GET_KEYRING_ID] = keyctl_get_keyring_id,
	[KEYCTL_JOIN_SESSION_KEYRING] = keyctl_join_session,
	[KEYCTL_UPDATE] = keyctl_update,
	[KEYCTL_REVOKE] = keyctl_revoke,
	[KEYCTL_CHOWN] = keyctl_chown,
	[KEYCTL_SETPERM] = keyctl_setperm,
	[KEYCTL_DESCRIBE] = keyctl_describe,
	[KEYCTL_CLEAR] = keyctl_clear,
	[KEYCTL_LINK] = keyctl_link,
	[KEYCTL_UNLINK] = keyctl_unlink,
	[KEYCTL_SEARCH] = keyctl_search,
	[KEYCTL_READ] = keyctl_read,
	[KEYCTL_INSTANTIATE] = keyctl_instantiate,
	[KEYCTL_NEGATE] = keyctl_negate,
	[KEYCTL_SET_REQKEY_KEYRING] = keyctl_set_destination,
	[KEYCTL_SET_TIMEOUT] = keyctl_set_timeout,
	[KEYCTL_ASSUME_AUTHORITY] = keyctl_assume_authority,
	[KEYCTL_GET_SECURITY] = keyctl_get_security,
	[KEYCTL_SESSION_TO_PARENT] = keyctl_session_to_parent,
	[KEYCTL_REJECT] = keyctl_reject,
	[KEYCTL_INSTANTIATE_IOV] = keyctl_instantiate_vector,
	[KEYCTL_INVALIDATE] = keyctl_invalidate,
	[KEYCTL_GET_PERSISTENT] = keyctl_get_persistent,
	[KEYCTL_RESTRICT_KEYRING] = keyctl_restrict,
	[KEYCTL_MOVE] = keyctl_move,
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
	return run(self, key_add, 0);
}

long handle_request_key(struct thread *self)
{
	return run(self, key_request, 0);
}
