#include "guest/ahead_calls.h"

#include "guest/ahead.h"
#include "guest/descriptor.h"
#include "guest/files.h"
#include "guest/stat.h"

#define F_GETFD 1

enum trait {
	FILE = 1u << 0,	  /* the first argument is the file */
	OFFSET = 1u << 1, /* ... at the descriptor's own offset */
	WRITES = 1u << 2, /* the content */
	SETS = 1u << 3,	  /* attributes */
	NAME = 1u << 4,	  /* a path, with a directory before it if `at` */
	SECOND = 1u << 5, /* ... and another one behind it */
	LINK = 1u << 6,	  /* a link at its end is meant itself */
	ASKED = 1u << 7,  /* the handler does not see which file it is */
	OPENS = 1u << 8,
	BINDS = 1u << 9,   /* a name, which is there already if that fails with EEXIST */
	PLAIN = 1u << 10,  /* only of a regular file, or of none, can it run ahead */
	TURN = 1u << 11,   /* never ahead */
	CLOSES = 1u << 12, /* the descriptor */
	LOCAL = 1u << 13,  /* has to do with the descriptor alone */
	LISTS = 1u << 14,  /* a directory */
};

static const struct row {
	uint16_t traits;
	uint8_t path;  /* the argument */
	bool at;       /* the one before is its directory */
	uint8_t flags; /* the argument with flags that concern links, 0: none */
} rows[SYSCALL_LIMIT] = {
	[__NR_read] = { FILE | OFFSET },
	[__NR_readv] = { FILE | OFFSET },
	[__NR_pread64] = { FILE },
	[__NR_preadv] = { FILE },
	[__NR_preadv2] = { FILE | OFFSET },
	[__NR_write] = { FILE | OFFSET | WRITES },
	[__NR_writev] = { FILE | OFFSET | WRITES },
	[__NR_pwrite64] = { FILE | WRITES },
	[__NR_pwritev] = { FILE | WRITES },
	[__NR_pwritev2] = { FILE | OFFSET | WRITES },
	[__NR_lseek] = { FILE | OFFSET },
	[__NR_fstat] = { FILE },
	[__NR_fsync] = { FILE | LOCAL },
	[__NR_fdatasync] = { FILE | LOCAL },
	[__NR_ftruncate] = { FILE | WRITES },
	[__NR_fchmod] = { FILE | SETS },
	[__NR_fchown] = { FILE | SETS },
	[__NR_getdents] = { FILE | OFFSET | LISTS },
	[__NR_getdents64] = { FILE | OFFSET | LISTS },
	[__NR_ioctl] = { LOCAL },
	[__NR_close] = { FILE | OFFSET | LOCAL | CLOSES },
	[__NR_fcntl] = { LOCAL },
	[__NR_getcwd] = { LOCAL },

	[__NR_stat] = { NAME, 0 },
	[__NR_lstat] = { NAME | LINK, 0 },
	[__NR_newfstatat] = { NAME, 1, true, 3 },
	[__NR_statx] = { NAME, 1, true, 2 },
	[__NR_access] = { NAME | ASKED, 0 },
	[__NR_faccessat] = { NAME | ASKED, 1, true },
	[__NR_faccessat2] = { NAME | ASKED, 1, true, 3 },
	[__NR_readlink] = { NAME | ASKED | LINK, 0 },
	[__NR_readlinkat] = { NAME | ASKED | LINK, 1, true },
	[__NR_open] = { NAME | OPENS, 0, false, 1 },
	[__NR_openat] = { NAME | OPENS, 1, true, 2 },
	[__NR_creat] = { NAME | OPENS, 0 },

	[__NR_unlink] = { NAME | LINK | PLAIN, 0 },
	[__NR_unlinkat] = { NAME | LINK | PLAIN, 1, true, 2 },
	[__NR_symlink] = { NAME | LINK | BINDS, 1 },
	[__NR_symlinkat] = { NAME | LINK | BINDS, 2, true },
	[__NR_link] = { NAME | SECOND | LINK | BINDS | PLAIN, 0 },
	[__NR_linkat] = { NAME | SECOND | LINK | BINDS | PLAIN, 1, true, 4 },
	[__NR_rename] = { NAME | SECOND | LINK | PLAIN, 0 },
	[__NR_renameat] = { NAME | SECOND | LINK | PLAIN, 1, true },
	[__NR_renameat2] = { NAME | SECOND | LINK | PLAIN, 1, true, 4 },
	[__NR_truncate] = { NAME | PLAIN | WRITES, 0 },
	[__NR_chmod] = { NAME | PLAIN, 0 },
	[__NR_fchmodat] = { NAME | PLAIN, 1, true },
	[__NR_chown] = { NAME | PLAIN, 0 },
	[__NR_lchown] = { NAME | PLAIN | LINK, 0 },
	[__NR_fchownat] = { NAME | PLAIN, 1, true, 4 },
	[__NR_utime] = { NAME | PLAIN, 0 },
	[__NR_utimes] = { NAME | PLAIN, 0 },
	[__NR_futimesat] = { NAME | PLAIN, 1, true },
	[__NR_utimensat] = { NAME | PLAIN, 1, true, 3 },

	[__NR_execve] = { TURN | NAME, 0 },
	[__NR_execveat] = { TURN | NAME, 1, true, 4 },
	[__NR_openat2] = { TURN | NAME, 1, true },
	[__NR_mkdir] = { TURN | NAME | LINK | BINDS, 0 }, /* several often make the same one */
	[__NR_mkdirat] = { TURN | NAME | LINK | BINDS, 1, true },
	[__NR_rmdir] = { TURN | NAME | LINK, 0 },
	[__NR_mknod] = { TURN | NAME | LINK | BINDS, 0 },
	[__NR_mknodat] = { TURN | NAME | LINK | BINDS, 1, true },
	[__NR_chdir] = { TURN | NAME | ASKED, 0 }, /* made again, it would begin elsewhere */
	[__NR_statfs] = { TURN | NAME | ASKED, 0 },
	[__NR_chroot] = { TURN | NAME | ASKED, 0 },
	[__NR_getxattr] = { TURN | NAME | ASKED, 0 },
	[__NR_lgetxattr] = { TURN | NAME | ASKED | LINK, 0 },
	[__NR_listxattr] = { TURN | NAME | ASKED, 0 },
	[__NR_llistxattr] = { TURN | NAME | ASKED | LINK, 0 },
	[__NR_setxattr] = { TURN | NAME, 0 },
	[__NR_lsetxattr] = { TURN | NAME | LINK, 0 },
	[__NR_removexattr] = { TURN | NAME, 0 },
	[__NR_lremovexattr] = { TURN | NAME | LINK, 0 },
	[__NR_name_to_handle_at] = { TURN | NAME | ASKED, 1, true },
	[__NR_inotify_add_watch] = { TURN | NAME | ASKED, 1 },
};

static int names_in(const struct row *row)
{
	return row->traits & SECOND ? 2 : 1;
}

static struct name name_of(const struct thread *self, const struct row *row, int which)
{
	int path = row->path + which * (1 + row->at);

	return (struct name){ row->at ? (int)argument(self, path - 1) : AT_FDCWD,
		argument(self, path) };
}

static uint64_t open_flags(const struct thread *self, const struct row *row)
{
	return row->flags ? (uint32_t)argument(self, row->flags) : O_CREAT | O_WRONLY | O_TRUNC;
}

static uint64_t link_flags(const struct thread *self, const struct row *row)
{
	uint64_t flags = row->flags ? argument(self, row->flags) : 0;

	if (row->traits & OPENS)
		return open_flags(self, row) & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	return row->traits & LINK ? AT_SYMLINK_NOFOLLOW : flags & AT_SYMLINK_NOFOLLOW;
}

bool ahead_opens(uint32_t number)
{
	return rows[number].traits & OPENS;
}

/* A descriptor in place of a name; -1: it is a name. */
static int64_t descriptor_of(struct thread *self, const struct row *row)
{
	struct name name;

	if (row->traits & FILE)
		return (uint32_t)argument(self, 0);
	if (!(row->traits & NAME) || !row->at)
		return -1;
	name = name_of(self, row, 0);
	if (name.dirfd < 0)
		return -1;
	if (!name.path && row == &rows[__NR_utimensat])
		return name.dirfd;
	return row->flags && (argument(self, row->flags) & AT_EMPTY_PATH) &&
			       !(row->traits & OPENS) && string_length(name.path, 1) == 0
		       ? name.dirfd
		       : -1;
}

static bool is_plain(const struct file *file)
{
	return file->kind == FILE_REGULAR || file->kind == FILE_DIRECTORY || file->kind == FILE_PYC;
}

static bool is_local_command(const struct thread *self)
{
	uint32_t command = (uint32_t)argument(self, 1);

	return command == F_GETFD || command == F_SETFD || command == F_DUPFD ||
	       command == F_DUPFD_CLOEXEC;
}

/* Libraries ask before they write; what is none says so at any time. */
static bool asks_for_terminal(struct thread *self)
{
	const struct file *file = file_of(self, (uint32_t)argument(self, 0));

	return argument(self, 1) == TCGETS && (is_plain(file) || file->kind == FILE_STREAM);
}

/* Nobody else has the descriptor, and closing it gives no lock back. */
static bool is_own_affair(struct thread *self, uint64_t fd)
{
	return file_is_own(file_of(self, fd)) && !files_locked();
}

bool ahead_concerns(struct thread *self, uint32_t number)
{
	const struct row *row = &rows[number];
	int64_t fd;

	if (!row->traits || (row->traits & TURN))
		return false;
	if (number == __NR_fcntl)
		return is_local_command(self);
	if (number == __NR_ioctl)
		return asks_for_terminal(self);
	fd = descriptor_of(self, row);
	return fd < 0 || (is_plain(file_of(self, (uint64_t)fd)) &&
				 (!(row->traits & CLOSES) || is_own_affair(self, (uint64_t)fd)));
}

/* The offset is the process's own, and the file an ordinary one. */
static bool may_descriptor(struct thread *self, const struct row *row, uint64_t fd)
{
	const struct file *file = file_of(self, fd);
	const struct inode *inode;

	if (!is_plain(file) || !file->inode || ((row->traits & OFFSET) && !file_is_own(file)))
		return false;
	inode = inode_at(file->inode);
	if (file->kind == FILE_DIRECTORY &&
		((row->traits & (SETS | PLAIN)) ||
			((row->traits & LISTS) && ahead_is_touched(inode))))
		return false;
	return stat_is_ordinary(inode->device) && !(inode->flags & INODE_STORED) &&
	       !((row->traits & WRITES) && (inode->flags & INODE_MAPPED));
}

/* Where a relative path begins. */
static bool is_ordinary_start(struct thread *self, int dirfd)
{
	const struct file *file;

	if (dirfd == AT_FDCWD)
		return files_directory_ordinary(self);
	file = file_of(self, (uint32_t)dirfd);
	return file->kind == FILE_DIRECTORY && stat_is_ordinary(inode_at(file->inode)->device);
}

/* May the path lead through another file system than the image's? */
static bool is_ordinary_path(struct thread *self, struct name name)
{
	static const char *const others[] = { "/proc", "/sys", "/dev" };
	char start[8] = { 0 };
	long length = string_length(name.path, sizeof(start) - 1);

	if (length <= 0 || copy_in(start, name.path, (size_t)length) || ahead_returns(name))
		return false;
	if (start[0] != '/')
		return is_ordinary_start(self, name.dirfd);
	for (uint32_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (memcmp(start, others[i], strlen(others[i])) == 0)
			return false;
	return start[1] != '/';
}

static bool is_of_type(const struct kernel_stat *st, uint32_t type)
{
	return (st->mode & S_IFMT) == type;
}

/* A pipe would wait, and a device is nobody's. What is made must not be so through a link. */
static bool may_open(struct thread *self, const struct row *row, struct name name)
{
	uint64_t flags = open_flags(self, row);
	struct kernel_stat st;

	if ((flags & O_TMPFILE) == O_TMPFILE || (flags & O_PATH))
		return false;
	if (name_status(name, link_flags(self, row), &st)) {
		const struct inode *inode = inode_look(self, st.dev, st.ino);

		return is_of_type(&st, S_IFDIR) ||
		       (is_of_type(&st, S_IFREG) &&
			       !((flags & O_TRUNC) && (inode->flags & INODE_MAPPED)));
	}
	return !(flags & O_CREAT) || !name_status(name, AT_SYMLINK_NOFOLLOW, &st);
}

static bool may_change(struct thread *self, const struct row *row, struct name name)
{
	struct kernel_stat st;

	if (!name_status(name, link_flags(self, row), &st))
		return true;
	return is_of_type(&st, S_IFREG) &&
	       !((row->traits & WRITES) &&
		       (inode_look(self, st.dev, st.ino)->flags & INODE_MAPPED));
}

/* Flags that make it something else: rmdir, exchanging, ... */
static bool is_strange(const struct thread *self, uint32_t number)
{
	switch (number) {
	case __NR_unlinkat:
		return argument(self, 2);
	case __NR_renameat2:
	case __NR_linkat:
		return argument(self, 4);
	default:
		return false;
	}
}

bool ahead_may(struct thread *self, uint32_t number)
{
	const struct row *row = &rows[number];
	int64_t fd;

	if (!(row->traits & (FILE | NAME)))
		return true;
	if (self->undone) /* records of what to undo are in the order of events */
		return false;
	if (is_strange(self, number))
		return false;
	fd = descriptor_of(self, row);
	if (fd >= 0)
		return may_descriptor(self, row, (uint64_t)fd);
	for (int i = 0; i < names_in(row); i++) {
		struct name name = name_of(self, row, i);

		if (!is_ordinary_path(self, name) ||
			((row->traits & OPENS) && !may_open(self, row, name)) ||
			((row->traits & PLAIN) && !may_change(self, row, name)))
			return false;
	}
	return true;
}

void ahead_before(struct thread *self, uint32_t number)
{
	const struct row *row = &rows[number];
	int64_t fd = row->traits & LOCAL ? -1 : descriptor_of(self, row);
	struct inode *inode = fd < 0 ? NULL : file_inode(self, (uint64_t)fd);

	if (!inode)
		return;
	if (row->traits & WRITES)
		ahead_write(self, inode);
	else if (row->traits & (SETS | PLAIN))
		ahead_change(self, inode);
	else
		ahead_look(self, inode);
}

static void ask(struct thread *self, const struct row *row, struct name name)
{
	struct kernel_stat st;

	if (name_status(name, link_flags(self, row), &st))
		ahead_look(self, inode_look(self, st.dev, st.ino));
	else
		ahead_miss(self, name, !link_flags(self, row));
}

/* Of calls that fail, what made them fail; of a call with two names, either of them may have. */
static void failed_at(struct thread *self, const struct row *row, struct name name, long result)
{
	struct kernel_stat st;

	switch (result) {
	case -ENOENT:
	case -ENOTDIR:
	case -EEXIST:
		ask(self, row, name);
		break;
	case -EFAULT:
	case -EBADF:
		break;
	default:
		if (name_status(name, link_flags(self, row), &st))
			ahead_look(self, inode_look(self, st.dev, st.ino));
		else
			ahead_uncertain(self);
	}
}

void ahead_subject(struct thread *self, char *path, size_t room)
{
	uint32_t number = (uint32_t)self->regs.rax;
	const struct row *row = &rows[number < SYSCALL_LIMIT ? number : 0];
	int64_t fd = descriptor_of(self, row);
	struct name name;
	long length;

	path[0] = 0;
	if (fd >= 0)
		descriptor_path((long)fd, path, room);
	if (fd >= 0 || !(row->traits & NAME))
		return;
	name = name_of(self, row, false);
	length = string_length(name.path, room - 1);
	if (length > 0 && copy_in(path, name.path, (size_t)length) == 0)
		path[length < (long)room ? length : (long)room - 1] = 0;
}

/* The current one may have been removed. */
static void look_at_directory(struct thread *self)
{
	const struct name here = { AT_FDCWD, (uint64_t) "." };
	struct kernel_stat st;

	if (name_status(here, 0, &st))
		ahead_look(self, inode_look(self, st.dev, st.ino));
}

void ahead_after(struct thread *self, uint32_t number, long result)
{
	const struct row *row = &rows[number];

	if (number == __NR_getcwd)
		look_at_directory(self);
	if (!(row->traits & NAME) || descriptor_of(self, row) >= 0)
		return;
	for (int i = 0; i < names_in(row); i++) {
		struct name name = name_of(self, row, i);

		if (failed(result))
			failed_at(self, row, name, result);
		else if (row->traits & ASKED)
			ask(self, row, name);
	}
}
