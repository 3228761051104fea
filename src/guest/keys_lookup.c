/* What an id means: a serial number, or one of the keyrings that every task, session and user
 * has. */
#include "guest/keys.h"
#include "guest/sys.h"
#include "guest/text.h"

#define OWN_RING (KEY_POSSESSOR(KEY_ALL) | KEY_OWNER(KEY_VIEW))

static struct key_plan ring_of_caller(
	const struct key_caller *caller, const char *name, uint32_t permissions)
{
	return (struct key_plan){
		.type = KEY_RING,
		.description = name,
		.uid = caller->uid,
		.gid = caller->gid,
		.permissions = permissions,
		.counting = KEY_BEYOND_QUOTA,
	};
}

/* The new keyring is held by the place where it is remembered. */
static long install(uint32_t *place, const struct key_plan *plan)
{
	struct key *ring;
	long r = key_make(plan, &ring);

	if (r)
		return r;
	keys_replace(place, ring);
	key_drop(ring);
	return 0;
}

long key_install_thread(struct key_caller *caller)
{
	const struct key_plan plan = ring_of_caller(caller, "_tid", OWN_RING);

	return caller->rings->thread ? 0 : install(&caller->rings->thread, &plan);
}

long key_install_process(struct key_caller *caller)
{
	const struct key_plan plan = ring_of_caller(caller, "_pid", OWN_RING);

	return caller->rings->process ? 0 : install(&caller->rings->process, &plan);
}

static long make_user_ring(uint32_t *place, const char *prefix, uint32_t uid)
{
	char name[32];
	const struct key_plan plan = {
		.type = KEY_RING,
		.description = name,
		.uid = uid,
		.gid = KEY_NO_ID,
		.permissions = KEY_POSSESSOR(KEY_ALL & ~KEY_SETATTR) | KEY_OWNER(KEY_ALL),
	};
	long r;

	if (*place)
		return 0;
	text_put_number(text_put(name, prefix), uid);
	r = install(place, &plan);
	if (r == 0)
		key_placed(*place)->flags |= KEY_OF_USER;
	return r;
}

/* The user's keyring is linked from that of its sessions. */
long key_user_rings(uint32_t uid, struct key_user **found)
{
	struct key_user *user = key_user_of(uid);
	const struct key_caller anybody = { 0 };
	long r;

	if (!user)
		return -ENOMEM;
	*found = user;
	r = make_user_ring(&user->ring, "_uid.", uid);
	if (r || user->session)
		return r;
	r = make_user_ring(&user->session, "_uid_ses.", uid);
	if (r)
		return r;
	return ring_link(&anybody, key_placed(user->session), key_placed(user->ring));
}

static long join_unnamed(struct key_caller *caller)
{
	struct key_plan plan = ring_of_caller(caller, "_ses", OWN_RING | KEY_OWNER(KEY_READ));

	if (caller->rings->session)
		plan.counting = KEY_WITHIN_QUOTA;
	return install(&caller->rings->session, &plan);
}

/* One that others may join, too. */
static struct key *find_session(const struct key_caller *caller, const char *name)
{
	const struct key_store *store = key_store();
	uint32_t length = (uint32_t)strlen(name);

	for (uint32_t i = 0; i < store->count; i++) {
		struct key *key = key_at(store->sorted[i]);

		if (key->type == KEY_RING && key->references && !(key->flags & KEY_REVOKED) &&
			bytes_equal(&key->description, name, length) &&
			key_permitted(caller, (struct key_held){ key, false }, KEY_SEARCH) == 0)
			return key;
	}
	return NULL;
}

long key_join_session(struct key_caller *caller, const char *name)
{
	struct key_plan plan;
	struct key *ring;
	long r;

	if (!name) {
		r = join_unnamed(caller);
		return r ? r : key_placed(caller->rings->session)->serial;
	}
	ring = find_session(caller, name);
	if (ring && key_place(ring) == caller->rings->session)
		return 0;
	if (ring) {
		keys_replace(&caller->rings->session, ring);
		return ring->serial;
	}
	plan = ring_of_caller(caller, name, OWN_RING | KEY_OWNER(KEY_READ | KEY_LINK));
	plan.counting = KEY_WITHIN_QUOTA;
	r = install(&caller->rings->session, &plan);
	return r ? r : key_placed(caller->rings->session)->serial;
}

long key_persistent(uint32_t uid, int64_t now, struct key **ring)
{
	struct key_user *user = key_user_of(uid);
	char name[32];
	const struct key_plan plan = {
		.type = KEY_RING,
		.description = name,
		.uid = uid,
		.gid = KEY_NO_ID,
		.permissions =
			KEY_POSSESSOR(KEY_ALL & ~KEY_SETATTR) | KEY_OWNER(KEY_VIEW | KEY_READ),
		.counting = KEY_UNCOUNTED,
	};
	long r = 0;

	if (!user)
		return -ENOMEM;
	text_put_number(text_put(name, "_persistent."), uid);
	if (!user->persistent)
		r = install(&user->persistent, &plan);
	if (r)
		return r;
	*ring = key_placed(user->persistent);
	key_expires_in(*ring, now, KEY_PERSISTENT_LIFE);
	return 0;
}

static long find_thread(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	long r = flags & KEY_CREATE ? key_install_thread(caller) : 0;

	*place = caller->rings->thread;
	return r;
}

static long find_process(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	long r = flags & KEY_CREATE ? key_install_process(caller) : 0;

	*place = caller->rings->process;
	return r;
}

/* Who has no session uses that of its user, until it wants to put something there. */
static long find_session_ring(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	uint32_t *session = &caller->rings->session;
	struct key_user *user;
	long r = 0;

	if (!*session) {
		r = key_user_rings(caller->uid, &user);
		if (r == 0)
			keys_replace(session, key_placed(user->session));
	}
	if (r == 0 && flags & KEY_CREATE && key_placed(*session)->flags & KEY_OF_USER)
		r = join_unnamed(caller);
	*place = *session;
	return r;
}

static long find_user_ring(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	struct key_user *user;
	long r = key_user_rings(caller->uid, &user);

	(void)flags;
	*place = r ? 0 : user->ring;
	return r;
}

static long find_user_session(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	struct key_user *user;
	long r = key_user_rings(caller->uid, &user);

	(void)flags;
	*place = r ? 0 : user->session;
	return r;
}

static long find_group(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	(void)caller;
	(void)flags;
	(void)place;
	return -EINVAL;
}

/* Only who was started to make a key has one. */
static long find_authority(struct key_caller *caller, uint32_t flags, uint32_t *place)
{
	(void)caller;
	(void)flags;
	(void)place;
	return -ENOKEY;
}

typedef long special_finder(struct key_caller *caller, uint32_t flags, uint32_t *place);
static special_finder *const special[] = { NULL, find_thread, find_process, find_session_ring,
	find_user_ring, find_user_session, find_group, find_authority, find_authority };
#define SPECIAL_LAST (-8)

static long find_special(
	struct key_caller *caller, int32_t id, uint32_t flags, struct key_held *held)
{
	uint32_t place = 0;
	long r;

	if (id == 0 || id < SPECIAL_LAST)
		return -EINVAL;
	r = special[-id](caller, flags, &place);
	if (r)
		return r;
	*held = (struct key_held){ key_placed(place), true };
	return place ? 0 : -ENOKEY;
}

/* Who can find the key in its own keyrings possesses it. */
static bool possesses(const struct key_caller *caller, const struct key *key)
{
	struct key_search search = { .caller = caller, .wanted = key, .any_state = true };

	return key_search_own(&search) == 0;
}

static long find_serial(const struct key_caller *caller, int32_t serial, struct key_held *held)
{
	held->key = key_with_serial(serial);
	if (!held->key)
		return -ENOKEY;
	held->possessed = possesses(caller, held->key);
	return 0;
}

long key_lookup(
	struct key_caller *caller, int32_t id, uint32_t flags, uint32_t need, struct key_held *held)
{
	long r = id <= 0 ? find_special(caller, id, flags, held) : find_serial(caller, id, held);

	if (r || need == KEY_NO_NEED || need == KEY_DEFERRED)
		return r;
	r = key_usable(caller, held->key);
	return r ? r : key_permitted(caller, *held, need);
}
