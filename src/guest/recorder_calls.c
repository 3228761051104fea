/* Which calls look at which names, and what for. */
#include "guest/recorder.h"

#include "guest/facts.h"

#define AF_UNIX		1
#define RENAME_EXCHANGE 2
#define LINK_READ	(LOOK_NAME | LOOK_READ)

static const struct row {
	uint8_t kinds;	/* of the first name */
	uint8_t second; /* ... of another behind it; 0: there is none */
	uint8_t path;	/* the argument */
	bool at;	/* the one before is its directory */
	uint8_t flags;	/* the argument with flags that concern links, 0: none */
	bool link;	/* a link at the name's end is meant itself */
	bool opens;	/* what for is in the flags */
	bool file;	/* the first argument is the file, there is no name */
	bool socket;	/* the name is in an address */
} rows[SYSCALL_LIMIT] = {
	[__NR_open] = { LOOK_NAME, .flags = 1, .opens = true },
	[__NR_openat] = { LOOK_NAME, .path = 1, .at = true, .flags = 2, .opens = true },
	[__NR_openat2] = { LOOK_NAME, .path = 1, .at = true, .flags = 2, .opens = true },
	[__NR_creat] = { LOOK_MAKE },
	[__NR_stat] = { LOOK_NAME },
	[__NR_lstat] = { LOOK_NAME, .link = true },
	[__NR_newfstatat] = { LOOK_NAME, .path = 1, .at = true, .flags = 3 },
	[__NR_statx] = { LOOK_NAME, .path = 1, .at = true, .flags = 2 },
	[__NR_access] = { LOOK_NAME },
	[__NR_faccessat] = { LOOK_NAME, .path = 1, .at = true },
	[__NR_faccessat2] = { LOOK_NAME, .path = 1, .at = true, .flags = 3 },
	[__NR_readlink] = { LOOK_NAME, .link = true },
	[__NR_readlinkat] = { LOOK_NAME, .path = 1, .at = true, .link = true },
	[__NR_chdir] = { LOOK_NAME },
	[__NR_chroot] = { LOOK_NAME },
	[__NR_statfs] = { LOOK_NAME },
	[__NR_inotify_add_watch] = { LOOK_NAME, .path = 1 },
	[__NR_connect] = { LOOK_NAME, .path = 1, .socket = true },
	[__NR_bind] = { LOOK_MAKE, .path = 1, .link = true, .socket = true },

	[__NR_getdents] = { LOOK_LIST, .file = true },
	[__NR_getdents64] = { LOOK_LIST, .file = true },
	[__NR_getxattr] = { LOOK_NAME | LOOK_LABELS },
	[__NR_lgetxattr] = { LOOK_NAME | LOOK_LABELS, .link = true },
	[__NR_fgetxattr] = { LOOK_LABELS, .file = true },
	[__NR_listxattr] = { LOOK_NAME | LOOK_LABELS },
	[__NR_llistxattr] = { LOOK_NAME | LOOK_LABELS, .link = true },
	[__NR_flistxattr] = { LOOK_LABELS, .file = true },

	[__NR_mkdir] = { LOOK_MAKE, .link = true },
	[__NR_mkdirat] = { LOOK_MAKE, .path = 1, .at = true, .link = true },
	[__NR_mknod] = { LOOK_MAKE, .link = true },
	[__NR_mknodat] = { LOOK_MAKE, .path = 1, .at = true, .link = true },
	[__NR_symlink] = { LOOK_MAKE, .path = 1, .link = true },
	[__NR_symlinkat] = { LOOK_MAKE, .path = 2, .at = true, .link = true },
	[__NR_unlink] = { LOOK_NAME, .link = true },
	[__NR_unlinkat] = { LOOK_NAME | LOOK_LIST, .path = 1, .at = true, .link = true },
	[__NR_rmdir] = { LOOK_NAME | LOOK_LIST, .link = true },
	[__NR_link] = { LINK_READ, LOOK_MAKE, .link = true },
	[__NR_linkat] = { LINK_READ, LOOK_MAKE, .path = 1, .at = true, .flags = 4, .link = true },
	[__NR_rename] = { LINK_READ, LOOK_MAKE | LOOK_LIST, .link = true },
	[__NR_renameat] = { LINK_READ, LOOK_MAKE | LOOK_LIST, .path = 1, .at = true, .link = true },
	[__NR_renameat2] = { LINK_READ, LOOK_MAKE | LOOK_LIST, .path = 1, .at = true,
		.link = true },

	/* What is left of the file at the end has its content. */
	[__NR_truncate] = { LINK_READ },
	[__NR_chmod] = { LINK_READ },
	[__NR_fchmodat] = { LINK_READ, .path = 1, .at = true },
	[__NR_chown] = { LINK_READ },
	[__NR_lchown] = { LINK_READ, .link = true },
	[__NR_fchownat] = { LINK_READ, .path = 1, .at = true, .flags = 4 },
	[__NR_utime] = { LINK_READ },
	[__NR_utimes] = { LINK_READ },
	[__NR_futimesat] = { LINK_READ, .path = 1, .at = true },
	[__NR_utimensat] = { LINK_READ, .path = 1, .at = true, .flags = 3 },
	[__NR_setxattr] = { LINK_READ | LOOK_LABELS },
	[__NR_lsetxattr] = { LINK_READ | LOOK_LABELS, .link = true },
	[__NR_removexattr] = { LINK_READ | LOOK_LABELS },
	[__NR_lremovexattr] = { LINK_READ | LOOK_LABELS, .link = true },
};

bool recorder_concerns(uint32_t number)
{
	return rows[number].kinds;
}

static uint64_t flags_of(const struct thread *self, uint32_t number)
{
	uint64_t flags = 0;

	if (number == __NR_openat2)
		return copy_in(&flags, argument(self, 2), sizeof(flags)) ? 0 : flags;
	return rows[number].flags ? (uint32_t)argument(self, rows[number].flags) : 0;
}

/* What an open is for. What is made, or loses its content by it, is not read. */
static uint32_t kinds_of_open(uint64_t flags)
{
	if ((flags & O_PATH) || (flags & O_DIRECTORY))
		return LOOK_NAME;
	if (flags & O_CREAT && flags & (O_EXCL | O_TRUNC))
		return LOOK_MAKE;
	return flags & O_TRUNC ? LOOK_NAME : LINK_READ;
}

/* As AT_ flags. */
static uint64_t link_flags(const struct row *row, uint32_t number, uint64_t flags)
{
	if (row->opens)
		return (flags & O_NOFOLLOW) || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)
			       ? AT_SYMLINK_NOFOLLOW
			       : 0;
	if (number == __NR_linkat)
		return (flags & AT_SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW) |
		       (flags & AT_EMPTY_PATH);
	if (number == __NR_readlinkat)
		return AT_SYMLINK_NOFOLLOW;
	return row->link ? AT_SYMLINK_NOFOLLOW : flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
}

static void look_at_socket(struct thread *self, const struct row *row)
{
	struct {
		uint16_t family;
		char path[108 + 1];
	} address = { 0 };
	uint64_t bytes = (uint32_t)argument(self, 2);

	if (bytes <= sizeof(address.family) || bytes >= sizeof(address) ||
		copy_in(&address, argument(self, 1), bytes) || address.family != AF_UNIX ||
		!address.path[0])
		return;
	recorder_look(self, (struct name){ AT_FDCWD, (uint64_t)address.path },
		row->link ? AT_SYMLINK_NOFOLLOW : 0, row->kinds);
}

static struct name name_of(const struct thread *self, const struct row *row, int which)
{
	int path = row->path + which * (1 + row->at);

	return (struct name){ row->at ? (int)argument(self, path - 1) : AT_FDCWD,
		argument(self, path) };
}

static void look_at_names(struct thread *self, uint32_t number)
{
	const struct row *row = &rows[number];
	uint64_t flags = flags_of(self, number);
	uint32_t kinds = row->opens ? kinds_of_open(flags) : row->kinds, second = row->second;

	if (number == __NR_renameat2 && (argument(self, 4) & RENAME_EXCHANGE))
		second = LINK_READ;
	if (number == __NR_utimensat && !argument(self, 1))
		return; /* the descriptor was opened, and looked at then */
	recorder_look(self, name_of(self, row, 0), link_flags(row, number, flags), kinds);
	if (second)
		recorder_look(self, name_of(self, row, 1), AT_SYMLINK_NOFOLLOW, second);
}

/* After the fact; moves are told by links.c, which knows what was moved. */
static void note_made(uint32_t number)
{
	switch (number) {
	case __NR_symlink:
	case __NR_symlinkat:
	case __NR_link:
	case __NR_linkat:
		recorder_link_made();
		break;
	case __NR_mkdir:
	case __NR_mkdirat:
		recorder_directory_made();
		break;
	}
}

/* Below its new root the process sees names from there. */
static long change_root(struct thread *self, call_handler *run)
{
	uint32_t unit = recorder_find(self, (struct name){ AT_FDCWD, argument(self, 0) });
	long r = run(self);

	if (r == 0)
		facts_of_process(self)->root = unit;
	return r;
}

long recorder_call(struct thread *self)
{
	uint32_t number = (uint32_t)self->regs.rax;
	const struct row *row = &rows[number];
	call_handler *run = self->recorded;
	long r;

	if (number == __NR_chroot)
		return change_root(self, run);
	if (row->file)
		recorder_look_at(self, (int)argument(self, 0), row->kinds);
	else if (row->socket)
		look_at_socket(self, row);
	else
		look_at_names(self, number);
	r = run(self);
	if (r == 0)
		note_made(number);
	return r;
}
