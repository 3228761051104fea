/* Who may do what with a key. */
#include "guest/facts.h"
#include "guest/keys.h"
#include "guest/sys.h"

bool key_caller_in_group(const struct key_caller *caller, uint32_t gid)
{
	const struct facts *facts = facts_of_process(caller->self);
	uint32_t count = facts->group_count < GROUPS_MAX ? facts->group_count : GROUPS_MAX;

	if (gid == caller->fsgid)
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (facts->groups[i] == gid)
			return true;
	return false;
}

/* One of three classes; who possesses the key has that class besides. */
static uint32_t granted(const struct key_caller *caller, struct key_held held)
{
	const struct key *key = held.key;
	uint32_t mask = key->permissions;

	if (key->uid == caller->fsuid)
		mask >>= 16;
	else if (key->gid != KEY_NO_ID && mask & KEY_GROUP(KEY_ALL) &&
		 key_caller_in_group(caller, key->gid))
		mask >>= 8;
	if (held.possessed)
		mask |= key->permissions >> 24;
	return mask & KEY_ALL;
}

long key_permitted(const struct key_caller *caller, struct key_held held, uint32_t need)
{
	return (granted(caller, held) & need) == need ? 0 : -EACCES;
}

long key_usable(const struct key_caller *caller, const struct key *key)
{
	if (key->flags & KEY_INVALIDATED)
		return -ENOKEY;
	if (key->flags & KEY_REVOKED)
		return -EKEYREVOKED;
	return key_is_expired(key, caller->now) ? -EKEYEXPIRED : 0;
}
