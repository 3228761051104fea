/*
 * The key retention service (guest/keys.h): keys and keyrings, who holds them, and what each user
 * has of them. All of it is changed in turn, behind one lock whose holder may die.
 */
#ifndef STET_ARENA_KEYS_H
#define STET_ARENA_KEYS_H

#include <stdint.h>

/* Bytes of any length, in pieces. Indices are + 1; 0: none. */
#define KEY_PIECE  124u
#define KEY_PIECES (1u << 18)
struct key_piece {
	uint32_t next;
	uint8_t data[KEY_PIECE];
};

struct key_bytes {
	uint32_t first, last;
	uint32_t length;
};

enum key_flags {
	KEY_REVOKED = 1u << 0,
	KEY_INVALIDATED = 1u << 1,
	KEY_COUNTED = 1u << 2,	  /* against its owner's quota */
	KEY_OF_USER = 1u << 3,	  /* one of the two keyrings that every user has */
	KEY_RESTRICTED = 1u << 4, /* a keyring that takes no more links */
};

struct key {
	int32_t serial; /* 0: the place is free */
	uint32_t type;	/* enum key_type of guest/keys.h */
	uint32_t flags; /* enum key_flags */
	uint32_t uid, gid, permissions;
	uint32_t references; /* links, and who has it as a keyring of its own */
	uint32_t hash;	     /* of the description */
	uint32_t quota;	     /* bytes that are counted */
	uint32_t next;	     /* of those that are free, or to be freed, + 1 */
	int64_t expiry;	     /* seconds since 1970; 0: never */
	struct key_bytes description;
	struct key_bytes payload; /* of a keyring: places of keys in the table, uint32_t each */
};
#define KEYS 65536u

/* What a user has. */
struct key_user {
	uint32_t uid;
	uint32_t keys;			      /* that it owns */
	uint32_t counted_keys, counted_bytes; /* against the quota */
	uint32_t ring, session, persistent;   /* places of its keyrings, + 1 */
};
#define KEY_USERS 4096u

/* What a task has: places of its keyrings, + 1. */
struct key_rings {
	uint32_t thread, process, session;
	uint32_t destination; /* of keys that are requested: KEYCTL_SET_REQKEY_KEYRING */
	uint32_t fsuid;	      /* as of its last call, + 1 */
};

struct key_store {
	uint32_t lock;	/* number of the task that has it, + 1 */
	uint32_t count; /* keys that there are: so many of `sorted` */
	uint32_t used,
		free;  /* places that were ever used; the first of those that are free again */
	uint32_t dead; /* the first of those that nobody refers to any more */
	uint32_t pieces_used, pieces_free;
	uint32_t users; /* so many of the table */
	uint64_t made;	/* so far: gives the next serial number */
	int64_t reap;	/* when the next expired key is to be unlinked; 0: never */
	struct key_user user[KEY_USERS];
	uint32_t sorted[KEYS]; /* places of keys, by their serial numbers */
	struct key keys[KEYS];
	struct key_piece pieces[KEY_PIECES];
};

#endif
