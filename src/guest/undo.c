#include "guest/undo.h"

#include "arena/undo.h"
#include "guest/descriptor.h"
#include "guest/files.h"
#include "guest/inodes.h"
#include "guest/names.h"
#include "guest/stat.h"
#include "guest/text.h"

#define PIECE		 8192
#define UNMAPPED	 65534 /* whom the container does not know */
#define LIST_BYTES	 256
#define RENAME_NOREPLACE 1

enum action {
	OPENS = 1, /* a file that it may make or write */
	WRITES,	   /* the content of what the name leads to */
	SETS,	   /* its attributes */
	LABELS,	   /* its extended attributes */
	MAKES,	   /* what the name leads to */
	LINKS,	   /* a second name */
	TAKES,	   /* the name away */
	MOVES,	   /* it to a second name */
	ROOTS,	   /* names mean something else from then on */
};

static const struct row {
	uint8_t action;
	uint8_t path;  /* the argument with the name */
	bool at;       /* the one before is its directory */
	uint8_t flags; /* the argument with flags; 0: none */
	bool link;     /* a link at the name's end is meant itself */
	bool file;     /* the first argument is the file, there is no name */
} rows[SYSCALL_LIMIT] = {
	[__NR_open] = { OPENS, 0, false, 1 },
	[__NR_openat] = { OPENS, 1, true, 2 },
	[__NR_openat2] = { OPENS, 1, true, 2 },
	[__NR_creat] = { OPENS, 0 },
	[__NR_truncate] = { WRITES, 0 },
	[__NR_chmod] = { SETS, 0 },
	[__NR_fchmod] = { SETS, .file = true },
	[__NR_fchmodat] = { SETS, 1, true },
	[__NR_chown] = { SETS, 0 },
	[__NR_lchown] = { SETS, 0, .link = true },
	[__NR_fchown] = { SETS, .file = true },
	[__NR_fchownat] = { SETS, 1, true, 4 },
	[__NR_utime] = { SETS, 0 },
	[__NR_utimes] = { SETS, 0 },
	[__NR_futimesat] = { SETS, 1, true },
	[__NR_utimensat] = { SETS, 1, true, 3 },
	[__NR_setxattr] = { LABELS, 0 },
	[__NR_lsetxattr] = { LABELS, 0, .link = true },
	[__NR_fsetxattr] = { LABELS, .file = true },
	[__NR_removexattr] = { LABELS, 0 },
	[__NR_lremovexattr] = { LABELS, 0, .link = true },
	[__NR_fremovexattr] = { LABELS, .file = true },
	[__NR_mkdir] = { MAKES, 0 },
	[__NR_mkdirat] = { MAKES, 1, true },
	[__NR_mknod] = { MAKES, 0 },
	[__NR_mknodat] = { MAKES, 1, true },
	[__NR_symlink] = { MAKES, 1 },
	[__NR_symlinkat] = { MAKES, 2, true },
	[__NR_bind] = { MAKES, 1 },
	[__NR_link] = { LINKS, 0, .link = true },
	[__NR_linkat] = { LINKS, 1, true, 4 },
	[__NR_unlink] = { TAKES, 0 },
	[__NR_unlinkat] = { TAKES, 1, true },
	[__NR_rmdir] = { TAKES, 0 },
	[__NR_rename] = { MOVES, 0 },
	[__NR_renameat] = { MOVES, 1, true },
	[__NR_renameat2] = { MOVES, 1, true, 4 },
	[__NR_chroot] = { ROOTS, 0 },
};

/* What is to be kept of a call. */
struct change {
	uint32_t number;
	const struct row *row;
	struct name names[2];
	uint64_t flags;	  /* of the call */
	uint64_t end;	  /* of the records that were written for it */
	char socket[112]; /* the name of one that is bound */
	bool was_there;	  /* what it may make */
};

_Noreturn static void give_up(struct thread *self, const char *what)
{
	__atomic_store_n(&process.arena->undo_busy, 0, __ATOMIC_SEQ_CST);
	conflict(self, "cannot be undone on the host: %s", what);
}

/* The name of a socket is in its address, perhaps without an end. */
static struct name name_of_socket(struct thread *self, struct change *change)
{
	struct {
		uint16_t family;
		char path[sizeof(change->socket) - 2];
	} address = { 0 };
	uint64_t bytes = (uint32_t)argument(self, 2);

	if (bytes > sizeof(address) - 1)
		bytes = sizeof(address) - 1;
	if (copy_in(&address, argument(self, 1), bytes) || address.family != 1 /* AF_UNIX */)
		address.path[0] = 0;
	memcpy(change->socket, address.path, sizeof(address.path));
	return (struct name){ AT_FDCWD, (uint64_t)change->socket };
}

static uint64_t flags_of(struct thread *self, const struct change *change)
{
	uint64_t flags = 0;

	if (change->number == __NR_creat)
		return O_CREAT | O_WRONLY | O_TRUNC;
	if (change->number == __NR_openat2)
		return copy_in(&flags, argument(self, 2), sizeof(flags)) ? 0 : flags;
	return change->row->flags ? (uint32_t)argument(self, change->row->flags) : 0;
}

static void read_change(struct thread *self, uint32_t number, struct change *change)
{
	const struct row *row = &rows[number];

	change->number = number;
	change->row = row;
	change->end = process.arena->undo_used;
	change->flags = flags_of(self, change);
	if (number == __NR_bind) {
		change->names[0] = change->names[1] = name_of_socket(self, change);
		return;
	}
	for (int i = 0; i < 2; i++) {
		int path = row->path + i * (1 + row->at);

		change->names[i] =
			(struct name){ row->at ? (int)argument(self, path - 1) : AT_FDCWD,
				argument(self, path) };
	}
	if (row->file)
		change->names[0] = (struct name){ (int)argument(self, 0), 0 };
}

static bool is_by_descriptor(const struct change *change)
{
	return !change->names[0].path;
}

/* Of what the call is about. */
static bool status(const struct change *change, struct kernel_stat *st)
{
	const struct row *row = change->row;
	uint64_t follow = row->link ? AT_SYMLINK_NOFOLLOW : 0;

	if (is_by_descriptor(change))
		return sys(__NR_fstat, change->names[0].dirfd, st) == 0;
	if (row->action == OPENS)
		follow = change->flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	else if (row->action == LINKS && change->number == __NR_linkat)
		follow = (change->flags & AT_EMPTY_PATH) |
			 (change->flags & AT_SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW);
	else if (row->action == SETS)
		follow |= change->flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
	return name_status(change->names[0], follow, st);
}

static bool may_write(const struct change *change)
{
	return change->flags & (O_ACCMODE | O_TRUNC | O_CREAT);
}

/* Where the last part of a name begins, without slashes behind it; 0: there is none. */
static char *last_of(char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		path[--length] = 0;
	while (length > 0 && path[length - 1] != '/')
		length--;
	return path + length;
}

static bool copy_path(struct name name, char path[PATH_MAX])
{
	long length = string_length(name.path, PATH_MAX);

	return length > 0 && length < (long)PATH_MAX &&
	       copy_in(path, name.path, (size_t)length + 1) == 0;
}

/* A directory, by a descriptor to be closed; what is behind it in `path` is cut off. */
static long open_parent(struct name name, char path[PATH_MAX], char last[256])
{
	char *at;

	if (!copy_path(name, path))
		return -ENOENT;
	at = last_of(path);
	if (strlen(at) > 255)
		return -ENOENT;
	memcpy(last, at, strlen(at) + 1);
	*at = 0;
	return sys(
		__NR_openat, name.dirfd, at > path ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool is_on_host(uint64_t device)
{
	return stat_is_ordinary(device) && !stat_is_of_image(device);
}

static __attribute__((noinline)) bool parent_is_on_host(struct name name)
{
	char path[PATH_MAX], last[256];
	struct kernel_stat st;
	long fd = open_parent(name, path, last);
	bool is = !failed(fd) && sys(__NR_fstat, fd, &st) == 0 && is_on_host(st.dev);

	if (!failed(fd))
		sys(__NR_close, fd);
	return is;
}

bool undo_is_needed(struct thread *self, uint32_t number)
{
	struct change change;
	struct kernel_stat st;

	if (number >= SYSCALL_LIMIT || !rows[number].action)
		return false;
	if (rows[number].action == ROOTS)
		return true;
	read_change(self, number, &change);
	switch (change.row->action) {
	case OPENS:
		if (!may_write(&change) || (change.flags & O_PATH))
			return false;
		return status(&change, &st) ? is_on_host(st.dev)
					    : parent_is_on_host(change.names[0]);
	case WRITES:
	case SETS:
	case LABELS:
		return status(&change, &st) && is_on_host(st.dev);
	case LINKS:
		return parent_is_on_host(change.names[1]);
	default:
		return parent_is_on_host(change.names[0]);
	}
}

/* Paths as the supervisor can find them. */

/* Is it below a mount that can be written to, and not the mount itself? */
static bool is_below_mount(const char *path)
{
	const char *line = process.arena->config.mounts;

	for (; *line; line++) {
		const char *at = path, *place = line + 3; /* "rw " */

		while (*place && *place != '\n' && *place == *at)
			place++, at++;
		if (*line == 'r' && line[1] == 'w' && *place == '\n' && *at == '/')
			return true;
		while (*line && *line != '\n')
			line++;
		if (!*line)
			break;
	}
	return false;
}

static void check_path(struct thread *self, const char *path)
{
	if (!is_below_mount(path))
		give_up(self, "a file outside of the mounts");
}

/* Of a name that is meant itself. */
static void path_of_name(struct thread *self, struct name name, char path[PATH_MAX])
{
	char last[256] = "";
	long fd = open_parent(name, path, last);
	size_t length;

	path[0] = 0;
	if (!failed(fd)) {
		descriptor_path(fd, path, PATH_MAX);
		sys(__NR_close, fd);
	}
	length = strlen(path);
	if (!length || length + strlen(last) + 2 > PATH_MAX || !last[0] || last[0] == '/' ||
		text_is_dots(last))
		give_up(self, "a name");
	text_put(text_put(path + length, "/"), last);
	check_path(self, path);
}

/* Of what a name leads to, or a descriptor. */
static void path_of_file(struct thread *self, struct name name, bool link, char path[PATH_MAX])
{
	long fd = name.dirfd;

	if (name.path)
		fd = sys(__NR_openat, name.dirfd, name.path,
			O_PATH | O_CLOEXEC | (link ? O_NOFOLLOW : 0));
	if (failed(fd) || descriptor_path(fd, path, PATH_MAX))
		give_up(self, "a file");
	if (name.path)
		sys(__NR_close, fd);
	check_path(self, path);
}

/* Records. */

static void put(struct thread *self, struct change *change, const void *data, uint64_t bytes)
{
	const char *from = data;

	if (bytes > UNDO_BYTES - change->end)
		give_up(self, "as much as this");
	for (uint64_t done = 0; done < bytes;) {
		long n = sys(__NR_pwrite64, FD_ARENA, from + done, bytes - done,
			ARENA_UNDO_OFFSET + change->end + done);

		if (n <= 0)
			give_up(self, "as much as this");
		done += (uint64_t)n;
	}
	change->end += bytes;
}

static __attribute__((noinline)) void put_content(
	struct thread *self, struct change *change, long fd, uint64_t bytes)
{
	char piece[PIECE];

	for (uint64_t done = 0; done < bytes;) {
		uint64_t rest = bytes - done;
		long n = sys(__NR_pread64, fd, piece, rest < PIECE ? rest : PIECE, done);

		if (n <= 0)
			give_up(self, "a file that cannot be read");
		put(self, change, piece, (uint64_t)n);
		done += (uint64_t)n;
	}
}

static struct undo_record record_of(const struct kernel_stat *st, uint32_t kind)
{
	return (struct undo_record){
		.kind = kind,
		.device = st->dev,
		.inode = st->ino,
		.mode = st->mode,
		.uid = st->uid,
		.gid = st->gid,
		.times = { { st->atime, st->atime_nsec }, { st->mtime, st->mtime_nsec } },
	};
}

/* `content`: a descriptor, or -1. */
static void put_record(struct thread *self, struct change *change, struct undo_record *record,
	const char *path, const char *other, long content)
{
	static const char zeros[8];
	uint64_t bytes;

	record->path_bytes = (uint32_t)strlen(path) + 1;
	record->other_bytes = (uint32_t)strlen(other) + 1;
	bytes = sizeof(*record) + record->path_bytes + record->other_bytes + record->content_bytes;
	record->bytes = (bytes + 7) & ~7ull;
	put(self, change, record, sizeof(*record));
	put(self, change, path, record->path_bytes);
	put(self, change, other, record->other_bytes);
	if (content >= 0)
		put_content(self, change, content, record->content_bytes);
	put(self, change, zeros, record->bytes - bytes);
}

/* From here on the supervisor knows of it. */
static void commit(const struct change *change)
{
	__atomic_store_n(&process.arena->undo_used, change->end, __ATOMIC_RELEASE);
}

static bool is_made(struct thread *self, const struct kernel_stat *st)
{
	return inode_look(self, st->dev, st->ino)->flags & INODE_MADE;
}

/* Must it be there when what happened before is undone? Of what the run made, directories must: files
 * may have been moved out of them. */
static bool is_needed(struct thread *self, const struct kernel_stat *st)
{
	return !is_made(self, st) || (st->mode & S_IFMT) == S_IFDIR;
}

static long open_content(struct thread *self, const char *path)
{
	long fd = sys(__NR_openat, AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (failed(fd))
		give_up(self, "a file that cannot be read");
	return fd;
}

/* An initial file's content, once. */
static __attribute__((noinline)) void keep_content(
	struct thread *self, struct change *change, const struct kernel_stat *st)
{
	struct undo_record record = record_of(st, UNDO_WRITTEN);
	struct inode *inode = inode_look(self, st->dev, st->ino);
	char path[PATH_MAX];
	long fd;

	if ((inode->flags & (INODE_MADE | INODE_SAVED)) || (st->mode & S_IFMT) != S_IFREG)
		return;
	path_of_file(self, change->names[0], false, path);
	fd = open_content(self, path);
	record.content_bytes = (uint64_t)st->size;
	put_record(self, change, &record, path, "", fd);
	sys(__NR_close, fd);
	commit(change);
	__atomic_or_fetch(&inode->flags, INODE_SAVED, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void keep_attributes(
	struct thread *self, struct change *change, const struct kernel_stat *st)
{
	struct undo_record record = record_of(st, UNDO_SET);
	bool link = change->row->link || (change->row->flags && !is_by_descriptor(change) &&
						 (change->flags & AT_SYMLINK_NOFOLLOW));
	char path[PATH_MAX];

	if (is_made(self, st) || !st->nlink)
		return;
	if (change->flags & AT_EMPTY_PATH)
		give_up(self, "a descriptor's attributes");
	path_of_file(self, change->names[0], link, path);
	put_record(self, change, &record, path, "", -1);
	commit(change);
}

/* Labels of the host's own will be made anew by the host. */
static bool has_labels(const char *path)
{
	static const char own[] = "security.selinux";
	char list[LIST_BYTES];
	long n = sys(__NR_llistxattr, path, list, sizeof(list));

	if (n <= 0)
		return n == -ERANGE;
	return n != sizeof(own) || memcmp(list, own, sizeof(own)) != 0;
}

/* What a file is, before its name goes; it can be made again from that. */
static __attribute__((noinline)) void keep_file(
	struct thread *self, struct change *change, struct name name, const struct kernel_stat *st)
{
	struct undo_record record = record_of(st, UNDO_TAKEN);
	uint32_t type = st->mode & S_IFMT;
	char path[PATH_MAX], target[256] = "";
	long fd = -1;

	path_of_name(self, name, path);
	if (type == S_IFLNK) {
		long n = sys(__NR_readlink, path, target, sizeof(target) - 1);

		if (n <= 0 || n == sizeof(target) - 1)
			give_up(self, "a long symbolic link");
		target[n] = 0;
	} else if (type != S_IFREG && type != S_IFDIR && type != S_IFIFO) {
		give_up(self, "a socket or device");
	}
	if ((type != S_IFDIR && st->nlink > 1) || has_labels(path))
		give_up(self, "a file with several names, or with attributes");
	if (st->uid == UNMAPPED || st->gid == UNMAPPED)
		give_up(self, "a file of somebody else's");
	if (type == S_IFREG && !(inode_look(self, st->dev, st->ino)->flags & INODE_SAVED)) {
		fd = open_content(self, path);
		record.content_bytes = (uint64_t)st->size;
	}
	put_record(self, change, &record, path, target, fd);
	if (fd >= 0)
		sys(__NR_close, fd);
}

static __attribute__((noinline)) void keep_move(
	struct thread *self, struct change *change, const struct kernel_stat *st)
{
	struct undo_record record = record_of(st, UNDO_MOVED);
	char from[PATH_MAX], to[PATH_MAX];

	path_of_name(self, change->names[0], from);
	path_of_name(self, change->names[1], to);
	if (is_made(self, st))
		record.flags |= UNDO_OF_RUN;
	put_record(self, change, &record, from, to, -1);
}

static void before_move(struct thread *self, struct change *change)
{
	struct kernel_stat from, to;

	if (change->flags & ~(uint64_t)RENAME_NOREPLACE)
		give_up(self, "an exchange of names");
	if (!name_status(change->names[0], AT_SYMLINK_NOFOLLOW, &from))
		return;
	if (name_status(change->names[1], AT_SYMLINK_NOFOLLOW, &to)) {
		if (to.ino == from.ino && to.dev == from.dev)
			return; /* nothing will happen */
		if (is_needed(self, &to))
			keep_file(self, change, change->names[1], &to);
	}
	keep_move(self, change, &from);
}

/* What is about to be made must have a path that a record can hold. Where there is no directory
 * nothing will be made. */
static __attribute__((noinline)) void check_place(struct thread *self, struct name name)
{
	char path[PATH_MAX], last[256];
	long fd = open_parent(name, path, last);
	bool fits;

	if (failed(fd))
		return;
	path[0] = 0;
	descriptor_path(fd, path, PATH_MAX);
	sys(__NR_close, fd);
	fits = path[0] && strlen(path) + strlen(last) + 2 <= PATH_MAX;
	if (!fits)
		give_up(self, "a long path");
}

static void before(struct thread *self, struct change *change)
{
	struct kernel_stat st;

	switch (change->row->action) {
	case OPENS:
		change->was_there = status(change, &st);
		if (change->was_there && (change->flags & (O_ACCMODE | O_TRUNC)) &&
			(change->flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL))
			keep_content(self, change, &st);
		else if (!change->was_there &&
			 name_status(change->names[0], AT_SYMLINK_NOFOLLOW, &st))
			give_up(self, "a file that is made through a link");
		if (!change->was_there && (change->flags & O_CREAT))
			check_place(self, change->names[0]);
		break;
	case MAKES:
		check_place(self, change->names[0]);
		break;
	case WRITES:
		if (status(change, &st))
			keep_content(self, change, &st);
		break;
	case SETS:
		if (status(change, &st))
			keep_attributes(self, change, &st);
		break;
	case LABELS:
	case LINKS:
		if (status(change, &st) && !is_made(self, &st))
			give_up(self, "a second name, or attributes, of an initial file");
		if (change->row->action == LINKS)
			check_place(self, change->names[1]);
		break;
	case TAKES:
		if (name_status(change->names[0], AT_SYMLINK_NOFOLLOW, &st) && is_needed(self, &st))
			keep_file(self, change, change->names[0], &st);
		break;
	case MOVES:
		before_move(self, change);
		break;
	case ROOTS:
		give_up(self, "chroot");
	}
}

static __attribute__((noinline)) void made(
	struct thread *self, struct change *change, struct name name)
{
	struct undo_record record;
	struct kernel_stat st;
	char path[PATH_MAX];

	if (!name_status(name, AT_SYMLINK_NOFOLLOW, &st))
		return;
	record = record_of(&st, UNDO_MADE);
	path_of_name(self, name, path);
	put_record(self, change, &record, path, "", -1);
}

static void after(struct thread *self, struct change *change)
{
	switch (change->row->action) {
	case OPENS:
		if (!change->was_there && (change->flags & O_TMPFILE) != O_TMPFILE)
			made(self, change, change->names[0]);
		break;
	case MAKES:
		made(self, change, change->names[0]);
		break;
	case LINKS:
		made(self, change, change->names[1]);
		break;
	}
	commit(change);
}

/* The supervisor ends nobody between a change and its record. */
static void begin(struct thread *self)
{
	struct arena *arena = process.arena;

	__atomic_store_n(&arena->undo_busy, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&arena->conflict.state, __ATOMIC_SEQ_CST) &&
		!__atomic_load_n(&arena->fatal.state, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(&arena->undo_busy, 0, __ATOMIC_SEQ_CST);
	conflict(self, "", "");
}

long undo_call(struct thread *self)
{
	struct change change = { 0 };
	long r;

	read_change(self, (uint32_t)self->regs.rax, &change);
	before(self, &change);
	begin(self);
	r = self->undone(self);
	if (!failed(r) && r != -RESTART)
		after(self, &change);
	__atomic_store_n(&process.arena->undo_busy, 0, __ATOMIC_SEQ_CST);
	return r;
}
