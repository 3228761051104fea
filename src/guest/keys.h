/*
 * Linux's key retention service, inside the guest: keys and keyrings lie in the arena, have serial
 * numbers from the seed, and expire by logical time. The kernel's own is never asked: its numbers
 * are random, and it is the host's. Every call is made in its turn. Uses the arena, clock, random,
 * task.
 *
 * keys.c: keys come, go and are counted; keys_bytes.c: what they hold; keys_permissions.c: who may
 * do what; keys_rings.c: links; keys_search.c: the way through them; keys_lookup.c: what an id
 * means; keys_tasks.c: whose keyrings are whose; keys_calls.c: the calls; proc_keys.c: /proc.
 */
#ifndef STET_GUEST_KEYS_H
#define STET_GUEST_KEYS_H

#include "guest/process.h"

#define KEY_DESCRIPTION_MAX 4096u  /* with the byte that ends it */
#define KEY_PAYLOAD_MAX	    32767u /* of the types that there are */
#define KEY_LINK_BYTES	    4u	   /* what a link counts for */
#define KEY_GC_DELAY	    300	   /* seconds for which an expired key stays linked */
#define KEY_NO_ID	    (~0u)  /* as uid or gid: nobody's */

/* Quotas of users, and of root: also in /proc/sys/kernel/keys. */
#define KEY_MAX_KEYS	    200
#define KEY_MAX_BYTES	    20000
#define KEY_ROOT_MAX_KEYS   1000000
#define KEY_ROOT_MAX_BYTES  25000000
#define KEY_PERSISTENT_LIFE 259200 /* seconds */

enum key_type { KEY_RING, KEY_USER, KEY_LOGON, KEY_TYPES };
extern const char *const key_type_names[KEY_TYPES];
/* KEY_TYPES: there is none of this name. */
enum key_type key_type_named(const char *name);
/* Can it be read, and its payload be replaced? */
static inline bool key_type_reads(uint32_t type)
{
	return type != KEY_LOGON;
}
static inline bool key_type_updates(uint32_t type)
{
	return type != KEY_RING;
}

/* Permissions, of four classes: who possesses the key, its user, its group, others. */
enum key_permission {
	KEY_VIEW = 0x01,
	KEY_READ = 0x02,
	KEY_WRITE = 0x04,
	KEY_SEARCH = 0x08,
	KEY_LINK = 0x10,
	KEY_SETATTR = 0x20,
	KEY_ALL = 0x3f,
};
#define KEY_POSSESSOR(mask) ((uint32_t)(mask) << 24)
#define KEY_OWNER(mask)	    ((uint32_t)(mask) << 16)
#define KEY_GROUP(mask)	    ((uint32_t)(mask) << 8)
#define KEY_OTHER(mask)	    ((uint32_t)(mask))

/* Who makes a call, and when. */
struct key_caller {
	struct thread *self;
	struct key_rings *rings;
	uint32_t uid, gid, fsuid, fsgid;
	int64_t now; /* seconds since 1970 */
};

/* A key as somebody came to it. */
struct key_held {
	struct key *key;
	bool possessed;
};

/* A call begins and ends: nobody else changes anything meanwhile. Between, a key that was dropped
 * is still there. */
void keys_enter(struct thread *self, struct key_caller *caller);
void keys_leave(void);
/* The lock alone, where no call is made. */
void keys_lock(void);

static inline struct key_store *key_store(void)
{
	return &process.arena->keys;
}
struct key *key_at(uint32_t place);
/* Its place + 1, and back; NULL for 0. */
uint32_t key_place(const struct key *key);
struct key *key_placed(uint32_t place);
struct key *key_with_serial(int32_t serial);

/* What a new key is to be. */
enum key_counting {
	KEY_WITHIN_QUOTA,
	KEY_BEYOND_QUOTA, /* counted, whatever the limit */
	KEY_UNCOUNTED,
};
struct key_plan {
	enum key_type type;
	const char *description;
	uint32_t uid, gid, permissions;
	enum key_counting counting;
};
/* A new key, which the caller holds: 0 or -errno. */
long key_make(const struct key_plan *plan, struct key **made);
struct key *key_hold(struct key *key);
void key_drop(struct key *key);
/* Its payload is to count for so many bytes: 0 or -EDQUOT. */
long key_reserve(struct key *key, uint32_t bytes);
/* It gets another owner: 0, -EDQUOT or -ENOMEM. */
long key_give(struct key *key, uint32_t uid);
/* The record of this user; NULL when there is no room. */
struct key_user *key_user_of(uint32_t uid);
bool key_is_expired(const struct key *key, int64_t now);
/* It expires after so many seconds; 0: never. */
void key_expires_in(struct key *key, int64_t now, uint32_t seconds);

/* keys_bytes.c: 0 or -errno; what is there is replaced. */
long bytes_set(struct key_bytes *bytes, const void *from, uint32_t length);
long bytes_from_program(struct key_bytes *bytes, uint64_t from, uint32_t length);
long bytes_to_program(const struct key_bytes *bytes, uint64_t to);
bool bytes_equal(const struct key_bytes *bytes, const char *text, uint32_t length);
void bytes_free(struct key_bytes *bytes);
/* One after the other, in words. */
struct key_cursor {
	uint32_t piece, at, left;
};
struct key_cursor bytes_begin(const struct key_bytes *bytes);
uint32_t *bytes_next_word(struct key_cursor *cursor);
long bytes_add_word(struct key_bytes *bytes, uint32_t word);
/* Keeps the first `length` bytes. */
void bytes_cut(struct key_bytes *bytes, uint32_t length);
/* The next part, of at most KEY_PIECE bytes. */
const uint8_t *bytes_next_part(struct key_cursor *cursor, uint32_t *length);

/* keys_permissions.c */
long key_permitted(const struct key_caller *caller, struct key_held held, uint32_t need);
/* 0, or why the key cannot be used. */
long key_usable(const struct key_caller *caller, const struct key *key);
bool key_caller_in_group(const struct key_caller *caller, uint32_t gid);
/* The container's root stands for the machine's. */
static inline bool key_caller_is_root(const struct key_caller *caller)
{
	return caller->fsuid == 0;
}

/* keys_rings.c: links of keyrings. */
struct key *ring_next(struct key_cursor *cursor);
/* The key of this type and description that it has a link to, or NULL. */
struct key *ring_find(const struct key *ring, uint32_t type, const char *description);
bool ring_has(const struct key *ring, const struct key *key);
/* May the key be linked: 0, -ENOTDIR, -EPERM, -EDEADLK or -ELOOP. Links it, displacing one of the
 * same type and description. */
long ring_link(const struct key_caller *caller, struct key *ring, struct key *key);
long ring_move(const struct key_caller *caller, struct key *key, struct key *from, struct key *to,
	bool exclusive);
long ring_unlink(struct key *ring, const struct key *key);
void ring_clear(struct key *ring);
/* Takes the links away for which `goes` says so. */
typedef bool ring_judge(const struct key *key, int64_t now);
void rings_purge(ring_judge *goes, int64_t now);

/* keys_search.c: what is wanted, from which keyring on. */
struct key_search {
	const struct key_caller *caller;
	const struct key *wanted; /* this one; or, when NULL: */
	uint32_t type;
	const char *description;
	bool any_state; /* also one that cannot be used */
	bool unasked;	/* without asking for permission */
	bool too_deep;	/* keyrings that are nested too deep are an error */
	struct key *found;
};
/* 0, and `found`; -EAGAIN when there is none, or why what there is cannot be had. */
long key_search(struct key_search *search, struct key_held ring);
/* In all keyrings of the caller, which possesses what is found. */
long key_search_own(struct key_search *search);

/* keys_lookup.c */
enum key_lookup {
	KEY_CREATE = 1u << 0,  /* a special keyring that is not there is made */
	KEY_PARTIAL = 1u << 1, /* the key need not be complete */
};
#define KEY_NO_NEED  0u		 /* the key is not used at all */
#define KEY_DEFERRED 0x80000000u /* state and permission are asked for later */
long key_lookup(struct key_caller *caller, int32_t id, uint32_t flags, uint32_t need,
	struct key_held *held);
/* The keyrings of the user with this id, which are made when they are not there. */
long key_user_rings(uint32_t uid, struct key_user **user);
/* A new session, with this name or (NULL) none; answers the keyring's serial. */
long key_join_session(struct key_caller *caller, const char *name);
/* The keyring that outlives the sessions of the user: 0 or -errno. */
long key_persistent(uint32_t uid, int64_t now, struct key **ring);
long key_install_thread(struct key_caller *caller);
long key_install_process(struct key_caller *caller);

/* keys_tasks.c: a child is being made with these flags of clone; a program begins; a task's slot is
 * given back. */
void keys_inherit(const struct thread *self, uint32_t child, uint64_t flags);
void keys_program(struct thread *self);
void keys_task_gone(uint32_t index);
/* The keyring in `place` of some task is now `ring`, or NULL. */
void keys_replace(uint32_t *place, struct key *ring);

#endif
