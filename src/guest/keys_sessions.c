/* Keyrings of tasks, sessions and users, and the authority to make keys, which nobody has. */
#include "guest/children.h"
#include "guest/keys_calls.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/text.h"
#include "guest/turn.h"

#include <linux/keyctl.h>

#define VECTOR_MAX 1024u /* UIO_MAXIOV */

long keyctl_get_keyring_id(struct key_caller *caller, const uint64_t a[5])
{
	struct key_held held;
	long r = key_lookup(
		caller, (int32_t)a[0], (uint32_t)a[1] ? KEY_CREATE : 0, KEY_SEARCH, &held);

	return r ? r : held.key->serial;
}

long keyctl_join_session(struct key_caller *caller, const uint64_t a[5])
{
	char name[KEY_DESCRIPTION_MAX];
	long r;

	if (!a[0])
		return key_join_session(caller, NULL);
	r = key_take_string(a[0], name, sizeof(name));
	if (r == 0 && name[0] == '.')
		r = -EPERM;
	return r ? r : key_join_session(caller, name);
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
long keyctl_session_to_parent(struct key_caller *caller, const uint64_t a[5])
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

long keyctl_get_persistent(struct key_caller *caller, const uint64_t a[5])
{
	uint32_t uid = (uint32_t)a[0] == KEY_SAME_ID ? caller->uid : (uint32_t)a[0];
	struct key *ring, *persistent;
	long r;

	if (uid != caller->uid && uid != (uint32_t)sys(__NR_geteuid) && !key_caller_is_root(caller))
		return -EPERM;
	if (!(uint32_t)a[1])
		return -EINVAL;
	r = key_take_ring(caller, (uint32_t)a[1], &ring);
	if (r)
		return r;
	if (ring->type != KEY_RING)
		return -ENOTDIR;
	r = key_persistent(uid, caller->now, &persistent);
	return r ? r : key_attach(caller, (struct key_held){ persistent, true }, ring);
}

long keyctl_set_destination(struct key_caller *caller, const uint64_t a[5])
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

/* These are for who was started to make a key, and that is nobody. */
long keyctl_instantiate(struct key_caller *caller, const uint64_t a[5])
{
	(void)caller;
	return a[2] > KEY_PAYLOAD_AT_MOST ? -EINVAL : -EPERM;
}

long keyctl_instantiate_vector(struct key_caller *caller, const uint64_t a[5])
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

long keyctl_negate(struct key_caller *caller, const uint64_t a[5])
{
	(void)caller;
	(void)a;
	return -EPERM;
}

long keyctl_reject(struct key_caller *caller, const uint64_t a[5])
{
	uint32_t error = (uint32_t)a[2];

	(void)caller;
	/* Those from 512 on are the kernel's own, of calls that are made again. */
	if (error == 0 || error >= 4095 || (error >= 512 && error <= 514) || error == 516)
		return -EINVAL;
	return -EPERM;
}

long keyctl_assume_authority(struct key_caller *caller, const uint64_t a[5])
{
	(void)caller;
	if ((int32_t)a[0] < 0)
		return -EINVAL;
	return (int32_t)a[0] ? -ENOKEY : 0;
}
