#include "guest/keys.h"

#include "arena/identity.h"
#include "guest/clocks.h"
#include "guest/random.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/text.h"

#define LOCK_ROUNDS 1000 /* of yielding, before asking whether the holder lives */

const char *const key_type_names[KEY_TYPES] = { "keyring", "user", "logon" };

enum key_type key_type_named(const char *name)
{
	enum key_type type = 0;

	while (type < KEY_TYPES && !text_same(name, key_type_names[type]))
		type++;
	return type;
}

struct key *key_at(uint32_t place)
{
	return &key_store()->keys[place % KEYS];
}

uint32_t key_place(const struct key *key)
{
	return key ? (uint32_t)(key - key_store()->keys) + 1 : 0;
}

struct key *key_placed(uint32_t place)
{
	return place ? key_at(place - 1) : NULL;
}

/* The first place in the order of serial numbers that is not before this one. */
static uint32_t position_of(int32_t serial)
{
	const struct key_store *store = key_store();
	uint32_t low = 0, high = store->count < KEYS ? store->count : KEYS;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (key_at(store->sorted[middle])->serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct key *key_with_serial(int32_t serial)
{
	const struct key_store *store = key_store();
	uint32_t position = position_of(serial);
	struct key *key;

	if (position >= store->count)
		return NULL;
	key = key_at(store->sorted[position]);
	return key->serial == serial && key->references ? key : NULL;
}

static bool serial_taken(int32_t serial)
{
	uint32_t position = position_of(serial);

	return position < key_store()->count &&
	       key_at(key_store()->sorted[position])->serial == serial;
}

/* As the kernel's: positive, and not the first few. */
static int32_t next_serial(void)
{
	int32_t serial;

	do
		serial = (int32_t)(random_key_serial(key_store()->made++) >> 1);
	while (serial < 3 || serial_taken(serial));
	return serial;
}

static void enlist(struct key *key)
{
	struct key_store *store = key_store();
	uint32_t position = position_of(key->serial);

	memmove(&store->sorted[position + 1], &store->sorted[position],
		(store->count - position) * sizeof(store->sorted[0]));
	store->sorted[position] = (uint32_t)(key - store->keys);
	store->count++;
}

static void delist(const struct key *key)
{
	struct key_store *store = key_store();
	uint32_t position = position_of(key->serial);

	store->count--;
	memmove(&store->sorted[position], &store->sorted[position + 1],
		(store->count - position) * sizeof(store->sorted[0]));
}

struct key_user *key_user_of(uint32_t uid)
{
	struct key_store *store = key_store();
	struct key_user *user = store->user;

	while (user < store->user + store->users && user->uid != uid)
		user++;
	if (user < store->user + store->users)
		return user;
	if (store->users == KEY_USERS)
		return NULL;
	store->users++;
	*user = (struct key_user){ .uid = uid };
	return user;
}

static bool within_quota(const struct key_user *user, uint32_t keys, uint32_t bytes)
{
	uint32_t most_keys = user->uid ? KEY_MAX_KEYS : KEY_ROOT_MAX_KEYS;
	uint32_t most_bytes = user->uid ? KEY_MAX_BYTES : KEY_ROOT_MAX_BYTES;

	return user->counted_keys + keys <= most_keys && user->counted_bytes + bytes <= most_bytes;
}

static struct key *place_take(void)
{
	struct key_store *store = key_store();
	struct key *key = key_placed(store->free);

	if (key)
		store->free = key->next;
	else if (store->used < KEYS)
		key = key_at(store->used++);
	return key;
}

static uint32_t hash_of(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = identity_mix(hash, (uint8_t)*text);
	return (uint32_t)hash;
}

/* "SERVICE:NAME", since what it is for is not otherwise told. */
static bool description_suits(const struct key_plan *plan)
{
	const char *at = plan->description;

	if (plan->type != KEY_LOGON)
		return *at;
	while (*at && *at != ':')
		at++;
	return *at && at != plan->description;
}

long key_make(const struct key_plan *plan, struct key **made)
{
	uint32_t length = (uint32_t)strlen(plan->description), quota = length + 1;
	struct key_user *user;
	struct key *key;
	long r;

	if (!description_suits(plan))
		return -EINVAL;
	user = key_user_of(plan->uid);
	if (!user)
		return -ENOMEM;
	if (plan->counting == KEY_WITHIN_QUOTA && !within_quota(user, 1, quota))
		return -EDQUOT;
	key = place_take();
	if (!key)
		return -ENOMEM;
	*key = (struct key){
		.type = plan->type,
		.flags = plan->counting == KEY_UNCOUNTED ? 0 : KEY_COUNTED,
		.uid = plan->uid,
		.gid = plan->gid,
		.permissions = plan->permissions,
		.references = 1,
		.hash = hash_of(plan->description),
		.quota = quota,
	};
	r = bytes_set(&key->description, plan->description, length);
	if (r) {
		key->next = key_store()->free;
		key_store()->free = key_place(key);
		return r;
	}
	key->serial = next_serial();
	enlist(key);
	user->keys++;
	if (key->flags & KEY_COUNTED) {
		user->counted_keys++;
		user->counted_bytes += quota;
	}
	*made = key;
	return 0;
}

struct key *key_hold(struct key *key)
{
	key->references++;
	return key;
}

/* It goes when the call is over: others may still look at it until then. */
void key_drop(struct key *key)
{
	if (--key->references)
		return;
	key->next = key_store()->dead;
	key_store()->dead = key_place(key);
}

static void forget(struct key *key)
{
	struct key_user *user = key_user_of(key->uid);

	delist(key);
	if (key->type == KEY_RING)
		ring_clear(key);
	bytes_free(&key->payload);
	bytes_free(&key->description);
	if (user)
		user->keys--;
	if (user && key->flags & KEY_COUNTED) {
		user->counted_keys--;
		user->counted_bytes -= key->quota;
	}
	key->serial = 0;
	key->next = key_store()->free;
	key_store()->free = key_place(key);
}

long key_reserve(struct key *key, uint32_t bytes)
{
	uint32_t quota = key->description.length + 1 + bytes;
	struct key_user *user = key_user_of(key->uid);

	if (user && key->flags & KEY_COUNTED) {
		if (quota > key->quota && !within_quota(user, 0, quota - key->quota))
			return -EDQUOT;
		user->counted_bytes += quota - key->quota;
	}
	key->quota = quota;
	return 0;
}

long key_give(struct key *key, uint32_t uid)
{
	struct key_user *heir = key_user_of(uid), *user = key_user_of(key->uid);

	if (!heir || !user)
		return -ENOMEM;
	if (key->flags & KEY_COUNTED) {
		if (!within_quota(heir, 1, key->quota))
			return -EDQUOT;
		heir->counted_keys++;
		heir->counted_bytes += key->quota;
		user->counted_keys--;
		user->counted_bytes -= key->quota;
	}
	heir->keys++;
	user->keys--;
	key->uid = uid;
	return 0;
}

bool key_is_expired(const struct key *key, int64_t now)
{
	return key->expiry && now >= key->expiry;
}

void key_expires_in(struct key *key, int64_t now, uint32_t seconds)
{
	struct key_store *store = key_store();

	key->expiry = seconds ? now + seconds : 0;
	if (seconds && (!store->reap || store->reap > key->expiry + KEY_GC_DELAY))
		store->reap = key->expiry + KEY_GC_DELAY;
}

static bool is_long_expired(const struct key *key, int64_t now)
{
	return key->expiry && key->expiry + KEY_GC_DELAY <= now;
}

/* Expired keys stay linked for a while, so that who looks for them is told why there are none. */
static void reap(int64_t now)
{
	struct key_store *store = key_store();

	rings_purge(is_long_expired, now);
	for (uint32_t i = 0; i < store->users; i++)
		if (store->user[i].persistent &&
			is_long_expired(key_placed(store->user[i].persistent), now))
			keys_replace(&store->user[i].persistent, NULL);
	store->reap = 0;
	for (uint32_t i = 0; i < store->count; i++) {
		const struct key *key = key_at(store->sorted[i]);

		if (key->expiry && !is_long_expired(key, now) &&
			(!store->reap || store->reap > key->expiry + KEY_GC_DELAY))
			store->reap = key->expiry + KEY_GC_DELAY;
	}
}

static int64_t wall_seconds(const struct thread *self)
{
	struct timespec64 now = { 0, 0 };

	if (process.relax & RELAX_TIME)
		sys(__NR_clock_gettime, CLOCK_REALTIME, &now);
	else
		clock_wall(clock_now(self), &now.sec, &now.nsec);
	return now.sec;
}

/* In turn nobody else asks for it, unless order is relaxed or somebody has died with it. */
void keys_lock(void)
{
	uint32_t own = thread_self()->task + 1, *lock = &key_store()->lock;

	for (uint32_t round = 1;; round++) {
		uint32_t holder = 0;

		if (__atomic_compare_exchange_n(
			    lock, &holder, own, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		sys(__NR_sched_yield);
		if (round % LOCK_ROUNDS == 0 && (holder > TASKS || !task_state(holder - 1)) &&
			__atomic_compare_exchange_n(
				lock, &holder, own, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
	}
}

/* A thread's keyring belongs to whom the thread acts as. */
static void follow_user(struct key_caller *caller)
{
	struct key *ring = key_placed(caller->rings->thread);

	if (ring && caller->rings->fsuid != caller->fsuid + 1 && ring->uid != caller->fsuid)
		key_give(ring, caller->fsuid);
	caller->rings->fsuid = caller->fsuid + 1;
}

void keys_enter(struct thread *self, struct key_caller *caller)
{
	*caller = (struct key_caller){
		.self = self,
		.rings = &process.arena->key_rings[self->task],
		.uid = (uint32_t)sys(__NR_getuid),
		.gid = (uint32_t)sys(__NR_getgid),
		.fsuid = (uint32_t)sys(__NR_setfsuid, -1),
		.fsgid = (uint32_t)sys(__NR_setfsgid, -1),
		.now = wall_seconds(self),
	};
	keys_lock();
	follow_user(caller);
	if (key_store()->reap && key_store()->reap <= caller->now)
		reap(caller->now);
}

void keys_leave(void)
{
	struct key_store *store = key_store();

	while (store->dead) {
		struct key *key = key_placed(store->dead);

		store->dead = key->next;
		forget(key);
	}
	__atomic_store_n(&store->lock, 0, __ATOMIC_RELEASE);
}
