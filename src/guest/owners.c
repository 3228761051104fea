#include "guest/owners.h"

#include "arena/file_owners.h"
#include "guest/numbers.h"
#include "guest/process.h"
#include "guest/stat.h"

#define UNMAPPED 65534 /* how the kernel shows ids that a user namespace does not have */

static void show_first(uint64_t number, struct kernel_stat *st)
{
	const struct arena_config *config = &process.arena->config;
	const struct file_owner *owner = NULL;

	if (stat_is_mounted(st->dev)) {
		st->uid = config->machine.uid;
		st->gid = config->machine.gid;
	} else if (!config->own_owners || stat_is_copied(st->dev)) {
		if (!stat_is_copied(st->dev))
			owner = file_owner_find(process.arena, number);
		st->uid = owner ? owner->uid : 0;
		st->gid = owner ? owner->gid : 0;
	}
}

void owner_show(const struct inode *inode, uint64_t number, struct kernel_stat *st)
{
	if (inode->flags & INODE_OWNED) {
		st->uid = inode->uid;
		st->gid = inode->gid;
	} else if (!(inode->flags & INODE_MADE) && stat_is_ordinary(st->dev)) {
		show_first(number, st);
	} else if (!process.arena->config.all_ids) {
		st->uid = st->uid == UNMAPPED ? 0 : st->uid;
		st->gid = st->gid == UNMAPPED ? 0 : st->gid;
	}
}

void owner_set(struct inode *inode, uint32_t uid, uint32_t gid)
{
	inode->uid = uid;
	inode->gid = gid;
	__atomic_or_fetch(&inode->flags, INODE_OWNED, __ATOMIC_RELEASE);
}

/* The kernel does it by the groups that it knows. */
__attribute__((noinline)) void owner_inherit(
	struct thread *self, struct inode *inode, struct name name)
{
	char path[PATH_MAX];
	struct name parent = { name.dirfd, (uint64_t)path };
	struct kernel_stat st;
	struct inode *directory;

	if (process.arena->config.all_ids || process.relax & RELAX_INODE || !name_cut(name, path) ||
		!name_status(parent, 0, &st) || !(st.mode & S_ISGID))
		return;
	directory = inode_look(self, st.dev, st.ino);
	owner_show(directory, number_of(self, directory, &st, parent, 0), &st);
	owner_set(inode, (uint32_t)sys(__NR_geteuid), st.gid);
}

void owner_carry(const struct inode *from, struct inode *to)
{
	const struct file_owner *owner;

	if (!from || !to || from == to || to->flags & (INODE_OWNED | INODE_MADE))
		return;
	owner = from->shown ? file_owner_find(process.arena, from->shown) : NULL;
	if (from->flags & INODE_OWNED)
		owner_set(to, from->uid, from->gid);
	else if (owner)
		owner_set(to, owner->uid, owner->gid);
}
