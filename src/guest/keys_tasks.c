/* Whose keyrings are whose: they are a thread's own, and a child inherits its session's. */
#include "guest/keys.h"
#include "guest/sys.h"

void keys_replace(uint32_t *place, struct key *ring)
{
	struct key *old = key_placed(*place);

	*place = ring ? key_place(key_hold(ring)) : 0;
	if (old)
		key_drop(old);
}

static bool has_rings(const struct key_rings *rings)
{
	return rings->thread || rings->process || rings->session;
}

/* A thread whose maker has a keyring of its own gets one, too. */
static void share_with_thread(const struct key_rings *own, struct key_rings *child)
{
	const struct key *ring = key_placed(own->thread);
	const struct key_plan plan = {
		.type = KEY_RING,
		.description = "_tid",
		.uid = ring ? ring->uid : 0,
		.gid = ring ? ring->gid : 0,
		.permissions = KEY_POSSESSOR(KEY_ALL) | KEY_OWNER(KEY_VIEW),
		.counting = KEY_BEYOND_QUOTA,
	};
	struct key *made;

	keys_replace(&child->process, key_placed(own->process));
	if (ring && key_make(&plan, &made) == 0)
		child->thread = key_place(made);
}

void keys_inherit(const struct thread *self, uint32_t index, uint64_t flags)
{
	const struct key_rings *own = &process.arena->key_rings[self->task];
	struct key_rings *child = &process.arena->key_rings[index];

	child->destination = own->destination;
	child->fsuid = own->fsuid;
	if (!has_rings(own))
		return;
	keys_lock();
	keys_replace(&child->session, key_placed(own->session));
	if (flags & CLONE_THREAD)
		share_with_thread(own, child);
	keys_leave();
}

void keys_program(struct thread *self)
{
	struct key_rings *rings = &process.arena->key_rings[self->task];

	if (!rings->thread && !rings->process)
		return;
	keys_lock();
	keys_replace(&rings->thread, NULL);
	keys_replace(&rings->process, NULL);
	keys_leave();
}

void keys_task_gone(uint32_t index)
{
	struct key_rings *rings = &process.arena->key_rings[index];

	if (!has_rings(rings))
		return;
	keys_lock();
	keys_replace(&rings->thread, NULL);
	keys_replace(&rings->process, NULL);
	keys_replace(&rings->session, NULL);
	keys_leave();
}
