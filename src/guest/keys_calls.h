/*
 * The calls on keys: each operation gets the call's arguments as the program gave them, and answers
 * as the call does. It runs between keys_enter and keys_leave. For keys_*.c only.
 */
#ifndef STET_GUEST_KEYS_CALLS_H
#define STET_GUEST_KEYS_CALLS_H

#include "guest/keys.h"

#define KEY_TYPE_NAME_MAX   32u		      /* bytes, with the one that ends it */
#define KEY_PAYLOAD_AT_MOST (1024 * 1024 - 1) /* whatever the type */
#define KEY_SAME_ID	    0xffffffffu	      /* as uid or gid: as it is */
#define KEY_OVERFLOW_ID	    65534u	      /* shown of what is nobody's */

/* Hidden, so that the guest's code can take their addresses: they need more than 32 bits. */
typedef long key_operation(struct key_caller *caller, const uint64_t a[5]);
#pragma GCC visibility push(hidden)
/* keys_adding.c */
key_operation key_add, keyctl_update;
/* keys_finding.c */
key_operation key_request, keyctl_search, keyctl_link, keyctl_unlink, keyctl_move, keyctl_clear,
	keyctl_restrict;
/* keys_attributes.c */
key_operation keyctl_read, keyctl_describe, keyctl_get_security, keyctl_chown, keyctl_setperm,
	keyctl_set_timeout, keyctl_revoke, keyctl_invalidate;
/* keys_sessions.c */
key_operation keyctl_get_keyring_id, keyctl_join_session, keyctl_session_to_parent,
	keyctl_get_persistent, keyctl_set_destination, keyctl_instantiate,
	keyctl_instantiate_vector, keyctl_negate, keyctl_reject, keyctl_assume_authority;
#pragma GCC visibility pop

/* keys_calls.c: strings of the program's, 0 or -errno. */
long key_take_string(uint64_t from, char *to, uint32_t room);
long key_take_type(uint64_t from, char name[KEY_TYPE_NAME_MAX]);
/* A keyring in which something is to be put; NULL when the id is 0. */
long key_take_ring(struct key_caller *caller, uint64_t id, struct key **ring);
/* keys_finding.c: a key that was found is linked, if there is a keyring; answers its serial. */
long key_attach(const struct key_caller *caller, struct key_held held, struct key *ring);

#endif
