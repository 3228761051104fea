/*
 * stat and its relatives. Numbers and devices are virtual, times logical (inodes.c); what depends
 * on the file system below is a function of the content: a directory has one size and one link,
 * blocks follow from the size. Owners are those of one image, whoever unpacked it.
 */
#include "guest/stat.h"

#include "guest/clock.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/lines.h"
#include "guest/numbers.h"
#include "guest/owners.h"
#include "guest/process.h"
#include "guest/task.h"
#include "guest/text.h"

#define SECTOR	     512
#define OWN_LINKS    2 /* of a directory: its name and its `.` */
#define DEVICE(a, b) (((uint64_t)(a) << 8) | (b))

/* As on a machine with one disk; minor numbers of the others as Linux often gives them. */
static const uint64_t shown_devices[DEVICE_CLASSES + 1] = {
	[DEVICE_PROC] = DEVICE(0, 21),
	[DEVICE_SYS] = DEVICE(0, 20),
	[DEVICE_NODES] = DEVICE(0, 5),
	[DEVICE_TERMINALS] = DEVICE(0, 22),
	[DEVICE_PIPES] = DEVICE(0, 13),
	[DEVICE_SOCKETS] = DEVICE(0, 8),
	[DEVICE_ANONYMOUS] = DEVICE(0, 14),
	[DEVICE_MEMORY] = DEVICE(0, 1),
	[DEVICE_ORDINARY] = DEVICE(8, 1),
};

enum device_class stat_class(uint64_t device)
{
	const uint64_t *devices = process.arena->config.devices;
	int class = 0;

	while (class < DEVICE_CLASSES && devices[class] != device)
		class ++;
	return (enum device_class) class;
}

static bool is_among(const uint64_t devices[MOUNTED_DEVICES], uint64_t device)
{
	for (int i = 0; i < MOUNTED_DEVICES && devices[i]; i++)
		if (devices[i] == device)
			return true;
	return false;
}

bool stat_is_mounted(uint64_t device)
{
	return is_among(process.arena->config.mounted, device);
}

bool stat_is_copied(uint64_t device)
{
	return is_among(process.arena->config.copied, device);
}

bool stat_is_ordinary(uint64_t device)
{
	return stat_class(device) == DEVICE_ORDINARY;
}

/* Does the layer lie between it and the host? Of a mount whose changes are held back, too. */
bool stat_is_of_image(uint64_t device)
{
	const struct arena_config *config = &process.arena->config;

	for (int i = 0; i < MOUNTED_DEVICES && config->mounted[i]; i++)
		if (config->mounted[i] == device && !(config->held >> i & 1))
			return false;
	return stat_is_ordinary(device);
}

static void show_size(struct kernel_stat *st, enum device_class class)
{
	st->blksize = BLOCK;
	st->blocks = 0;
	/* Texts of /proc are as long as they turn out to be; those of /sys have a page. */
	if (class == DEVICE_PROC || class == DEVICE_SYS) {
		st->nlink = 1;
		if ((st->mode & S_IFMT) == S_IFREG || (st->mode & S_IFMT) == S_IFDIR)
			st->size =
				class == DEVICE_SYS && (st->mode & S_IFMT) == S_IFREG ? BLOCK : 0;
		return;
	}
	if ((st->mode & S_IFMT) == S_IFDIR) {
		st->size = BLOCK;
		st->nlink = 1;
	} else if ((st->mode & S_IFMT) != S_IFREG) {
		return;
	}
	st->blocks = (st->size + BLOCK - 1) / BLOCK * (BLOCK / SECTOR);
}

/* Programs count the threads of a process by the links of its directory of them. */
static void show_threads(struct kernel_stat *st, struct name name, uint64_t flags)
{
	char path[PATH_MAX];
	const struct task *task;
	const char *rest;
	uint64_t pid;

	if ((st->mode & S_IFMT) != S_IFDIR || !name_canonical(name, flags, path))
		return;
	rest = after_prefix(path, "/proc/");
	rest = rest ? after_number(rest, &pid) : NULL;
	task = rest && text_same(rest, "/task") ? task_find_process((int32_t)pid) : NULL;
	if (task)
		st->nlink = OWN_LINKS + task->users;
}

static void show_times(
	const struct inode *inode, const struct directory_times *times, struct kernel_stat *st)
{
	inode_split(inode->atime, &st->atime, &st->atime_nsec);
	inode_split(times->mtime, &st->mtime, &st->mtime_nsec);
	inode_split(times->ctime, &st->ctime, &st->ctime_nsec);
}

/* Is the directory one in which names come and go? Those of programs and libraries are not; one that
 * the run made was made for that. */
static bool is_busy(const struct inode *inode, const struct kernel_stat *directory)
{
	return (inode->flags & INODE_MADE) || (directory->mode & S_ISVTX) ||
	       !stat_is_of_image(directory->dev);
}

struct inode *stat_show(
	struct thread *self, struct kernel_stat *st, struct name name, uint64_t flags)
{
	enum device_class class = stat_class(st->dev);
	struct inode *inode = inode_seen(self, st);
	struct directory_times times = { inode->mtime, inode->ctime };

	if ((st->mode & S_IFMT) == S_IFDIR)
		times = inode_dated(self, inode, is_busy(inode, st));
	if (!(process.relax & RELAX_MTIME))
		show_times(inode, &times, st);
	if (!(process.relax & RELAX_INODE)) {
		uint64_t number = number_of(self, inode, st, name, flags);

		owner_show(inode, number, st);
		show_size(st, class);
		if (class == DEVICE_PROC)
			show_threads(st, name, flags);
		st->ino = number;
		st->dev = shown_devices[class];
	}
	return inode;
}

static bool native(void)
{
	return (process.relax & (RELAX_INODE | RELAX_MTIME)) == (RELAX_INODE | RELAX_MTIME);
}

static long answer(struct thread *self, struct kernel_stat *st, struct name name, uint64_t flags,
	uint64_t buffer)
{
	if (!native())
		stat_show(self, st, name, flags);
	return copy_out(buffer, st, sizeof(*st));
}

static long stat_descriptor(struct thread *self, uint64_t fd, uint64_t buffer)
{
	struct kernel_stat st;
	long r = descriptor_hidden(fd) ? -EBADF : sys_window(__NR_fstat, (int)fd, &st);

	if (r)
		return r;
	if (!native())
		file_seen(self, fd, &st);
	return answer(self, &st, (struct name){ (int)fd, 0 }, AT_EMPTY_PATH, buffer);
}

long handle_fstat(struct thread *self)
{
	return stat_descriptor(self, argument(self, 0), argument(self, 1));
}

/* Whose status is asked for: the program's own name may lead to the guest. */
static struct name name_meant(int dirfd, uint64_t path, uint64_t flags)
{
	if (names_is_own_program(path) && !(flags & AT_SYMLINK_NOFOLLOW))
		return (struct name){ AT_FDCWD, (uint64_t)program_path };
	return (struct name){ dirfd, path };
}

/* Programs compare what stat says of a name with what fstat says of the file that they then open,
 * so the loader is shown in place of the guest's file that lies over it. */
static long stat_at(struct thread *self, int dirfd, uint64_t path, uint64_t buffer, uint64_t flags)
{
	struct name name = name_meant(dirfd, path, flags);
	struct kernel_stat st;
	long r;

	if (names_absent(path))
		return -ENOENT;
	r = sys_window(__NR_newfstatat, name.dirfd, name.path, &st, flags);
	if (r == 0 && names_is_guest(st.dev, st.ino))
		r = sys(__NR_fstat, FD_LOADER, &st);
	return r ? r : answer(self, &st, name, flags, buffer);
}

long handle_stat(struct thread *self)
{
	return stat_at(self, AT_FDCWD, argument(self, 0), argument(self, 1), 0);
}

long handle_lstat(struct thread *self)
{
	return stat_at(self, AT_FDCWD, argument(self, 0), argument(self, 1), AT_SYMLINK_NOFOLLOW);
}

/* A descriptor and an empty name is how libc makes fstat today; no name at all is something that
 * only newer kernels take for that. */
long handle_newfstatat(struct thread *self)
{
	uint64_t path = argument(self, 1), flags = (uint32_t)argument(self, 3);
	int dirfd = (int)argument(self, 0);

	if (!path)
		return -EFAULT;
	if (flags == AT_EMPTY_PATH && dirfd >= 0 && string_length(path, 1) == 0)
		return stat_descriptor(self, (uint32_t)dirfd, argument(self, 2));
	return stat_at(self, dirfd, path, argument(self, 2), flags);
}

#define STATX_SHOWN    0xfffu  /* the basic ones and the time of birth */
#define STATX_MNT_ID   0x1000u /* the last one that the fixed kernel knows */
#define STATX_RESERVED 0x80000000u
#define SHOWN_MOUNT    1

struct statx_time {
	int64_t seconds;
	uint32_t nsec, pad;
};

struct kernel_statx {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, pad;
	uint64_t ino, size, blocks, attributes_mask;
	struct statx_time atime, btime, ctime, mtime;
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t mnt_id, spare[13];
};
_Static_assert(sizeof(struct kernel_statx) == 256, "struct statx");

/* Numbers of devices as stat has them, of the two parts that statx has, and back. */
static uint64_t device_join(uint32_t major, uint32_t minor)
{
	return (minor & 0xff) | ((uint64_t)(major & 0xfff) << 8) |
	       ((uint64_t)(minor & ~0xffu) << 12) | ((uint64_t)(major & ~0xfffu) << 32);
}

static struct statx_time statx_time(int64_t seconds, int64_t nsec)
{
	return (struct statx_time){ seconds, (uint32_t)nsec, 0 };
}

static struct kernel_stat stat_of(const struct kernel_statx *x)
{
	return (struct kernel_stat){
		.dev = device_join(x->dev_major, x->dev_minor),
		.ino = x->ino,
		.nlink = x->nlink,
		.mode = x->mode,
		.uid = x->uid,
		.gid = x->gid,
		.size = (int64_t)x->size,
		.blksize = x->blksize,
		.blocks = (int64_t)x->blocks,
	};
}

static void show_statx_numbers(const struct kernel_stat *st, uint32_t asked, struct kernel_statx *x)
{
	x->dev_major = (uint32_t)(st->dev >> 8);
	x->dev_minor = st->dev & 0xff;
	x->ino = st->ino;
	x->nlink = (uint32_t)st->nlink;
	x->uid = st->uid;
	x->gid = st->gid;
	x->size = (uint64_t)st->size;
	x->blksize = (uint32_t)st->blksize;
	x->blocks = (uint64_t)st->blocks;
	x->mask = STATX_SHOWN | (asked & STATX_MNT_ID);
	x->attributes = x->attributes_mask = 0;
	x->mnt_id = asked & STATX_MNT_ID ? SHOWN_MOUNT : 0;
	memset(x->spare, 0, sizeof(x->spare));
}

static void show_statx(struct thread *self, struct name name, uint64_t flags, uint32_t asked,
	struct kernel_statx *x)
{
	struct kernel_stat st = stat_of(x);
	const struct inode *inode = stat_show(self, &st, name, flags);
	int64_t seconds, nsec;

	if (!(process.relax & RELAX_INODE))
		show_statx_numbers(&st, asked, x);
	if (process.relax & RELAX_MTIME)
		return;
	x->atime = statx_time(st.atime, st.atime_nsec);
	x->mtime = statx_time(st.mtime, st.mtime_nsec);
	x->ctime = statx_time(st.ctime, st.ctime_nsec);
	inode_split(inode->btime, &seconds, &nsec);
	x->btime = statx_time(seconds, nsec);
}

long handle_statx(struct thread *self)
{
	uint64_t path = argument(self, 1), flags = argument(self, 2);
	uint32_t asked = (uint32_t)argument(self, 3), mask = asked;
	struct kernel_statx x;
	struct name name;
	long r;

	if (!path)
		return -EFAULT;
	if (names_absent(path))
		return -ENOENT;
	if (!native())
		mask |= STATX_SHOWN;
	name = name_meant((int)argument(self, 0), path, flags);
	r = sys_window(__NR_statx, name.dirfd, name.path, flags, mask, &x);
	if (r == 0 && names_is_guest(device_join(x.dev_major, x.dev_minor), x.ino))
		r = sys(__NR_statx, FD_LOADER, "", AT_EMPTY_PATH, mask, &x);
	if (r)
		return r;
	if (!native())
		show_statx(self, name, flags, asked, &x);
	return copy_out(argument(self, 4), &x, sizeof(x));
}
