/* /proc/keys: the keys that the caller may see, by serial number. /proc/key-users: what each user
 * has. */
#include "guest/keys.h"
#include "guest/proc_file.h"
#include "guest/text.h"

#define MINUTE	    60
#define HOUR	    (60 * MINUTE)
#define DAY	    (24 * HOUR)
#define WEEK	    (7 * DAY)
#define OVERFLOW_ID 65534u

static void put_life(struct view *view, const struct key *key, int64_t now)
{
	static const struct {
		int64_t seconds;
		char letter;
	} units[] = { { WEEK, 'w' }, { DAY, 'd' }, { HOUR, 'h' }, { MINUTE, 'm' }, { 1, 's' } };
	int64_t left = key->expiry - now;
	char text[24] = { 0 };
	size_t i = 0;

	if (!key->expiry || left <= 0) {
		view_string(view, key->expiry ? "expd " : "perm ");
		return;
	}
	while (left < units[i].seconds)
		i++;
	text_put_number(text, left / units[i].seconds);
	text[strlen(text)] = units[i].letter;
	view_print(view, "%4s ", text);
}

static void put_description(struct view *view, const struct key *key)
{
	struct key_cursor cursor = bytes_begin(&key->description);
	uint32_t length, count = key->payload.length;
	const uint8_t *part;

	while ((part = bytes_next_part(&cursor, &length)))
		view_put(view, (const char *)part, length);
	if (key->type != KEY_RING)
		view_print(view, ": %u\n", count);
	else if (count)
		view_print(view, ": %u\n", count / KEY_LINK_BYTES);
	else
		view_string(view, ": empty\n");
}

static void put_key(struct view *view, const struct key *key, int64_t now)
{
	view_print(view, "%08x I%c-%c--%c %5u ", (uint32_t)key->serial,
		key->flags & KEY_REVOKED ? 'R' : '-', key->flags & KEY_COUNTED ? 'Q' : '-',
		key->flags & KEY_INVALIDATED ? 'i' : '-', key->references);
	put_life(view, key, now);
	view_print(view, "%08x %5u %5u %-9s ", key->permissions, key->uid,
		key->gid == KEY_NO_ID ? OVERFLOW_ID : key->gid, key_type_names[key->type]);
	put_description(view, key);
}

static bool may_view(struct key_caller *caller, const struct key *key)
{
	struct key_held held;

	return key_lookup(caller, key->serial, 0, KEY_DEFERRED, &held) == 0 &&
	       key_permitted(caller, held, KEY_VIEW) == 0;
}

void proc_keys(struct proc_file *file)
{
	const struct key_store *store = key_store();
	struct key_caller caller;

	keys_enter(file->self, &caller);
	for (uint32_t i = 0; i < store->count && !view_full(&file->view); i++) {
		const struct key *key = key_at(store->sorted[i]);

		if (may_view(&caller, key))
			put_key(&file->view, key, caller.now);
	}
	keys_leave();
}

static void put_user(struct view *view, const struct key_user *user)
{
	view_print(view, "%5u: %5u %u/%u %u/%u %u/%u\n", user->uid, user->keys, user->keys,
		user->keys, user->counted_keys, user->uid ? KEY_MAX_KEYS : KEY_ROOT_MAX_KEYS,
		user->counted_bytes, user->uid ? KEY_MAX_BYTES : KEY_ROOT_MAX_BYTES);
}

/* By number; root is always there. */
void proc_key_users(struct proc_file *file)
{
	const struct key_store *store = key_store();
	struct key_caller caller;
	uint64_t least = 0;

	keys_enter(file->self, &caller);
	key_user_of(0);
	for (;;) {
		const struct key_user *next = NULL;

		for (uint32_t i = 0; i < store->users; i++)
			if (store->user[i].uid >= least &&
				(store->user[i].keys || !store->user[i].uid) &&
				(!next || store->user[i].uid < next->uid))
				next = &store->user[i];
		if (!next)
			break;
		put_user(&file->view, next);
		least = next->uid + 1ull;
	}
	keys_leave();
}
