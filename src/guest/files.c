#include "guest/files.h"

#include "guest/ahead.h"
#include "guest/descriptor.h"
#include "guest/inodes.h"
#include "guest/listing.h"
#include "guest/pidfds.h"
#include "guest/proc.h"
#include "guest/stat.h"
#include "guest/timerfd.h"
#include "guest/timers.h"

#define TIOCGDEV   0x80045432u
#define REMEMBERED 4096 /* descriptors above are looked at each time */

static struct file known[REMEMBERED];
static uint32_t shared HOT; /* how often descriptors came into others' hands */
static bool locked HOT;
static enum { UNSURE, ORDINARY, OTHER } directory HOT; /* of the current one, the file system */
static int noted_end HOT; /* descriptors from here on lead to nothing that file_next finds */

/* 1:3 and so on */
enum {
	DEVICE_NULL = 0x103,
	DEVICE_ZERO = 0x105,
	DEVICE_FULL = 0x107,
	DEVICE_RANDOM = 0x108,
	DEVICE_URANDOM = 0x109,
};

/* /dev/tty, /dev/ptmx and its like (5:x), and /dev/pts (136:x to 143:x). */
static bool is_terminal(uint64_t device)
{
	uint64_t major = device >> 8 & 0xfff;

	return major == 5 || (major >= 136 && major <= 143);
}

static uint8_t output_number(const struct kernel_stat *st)
{
	const struct output *output = &process.arena->output;

	for (uint8_t i = 0; i < 2; i++)
		if (st->dev == output->device[i] && st->ino == output->inode[i])
			return i + 1;
	return 0;
}

/* Is it one of the streams that the command was started with? */
static bool comes_from_outside(const struct kernel_stat *st)
{
	const struct arena_config *config = &process.arena->config;

	for (int i = 0; i < 3; i++)
		if (st->dev == config->outside[i].device && st->ino == config->outside[i].inode)
			return true;
	return false;
}

void files_begin(void)
{
	struct kernel_stat st;

	for (int i = 0; i < 3; i++)
		if (sys(__NR_fstat, i, &st) == 0)
			process.arena->config.outside[i] = (struct outside){ st.dev, st.ino,
				(st.mode & S_IFMT) == S_IFCHR && is_terminal(st.rdev) ? st.rdev
										      : 0 };
}

static struct file look(struct thread *self, const struct kernel_stat *st)
{
	struct file file = { .kind = FILE_OTHER };

	switch (st->mode & S_IFMT) {
	case S_IFREG:
		file.kind = proc_device(st->dev) ? FILE_PROC : FILE_REGULAR;
		break;
	case S_IFDIR:
		file.kind = FILE_DIRECTORY;
		break;
	case S_IFIFO:
		file.output = output_number(st);
		file.outside = comes_from_outside(st);
		file.kind = FILE_STREAM;
		file.pipe = PIPE_NEW;
		file.inode = st->ino == (uint32_t)st->ino ? (uint32_t)st->ino : 0;
		break;
	case S_IFSOCK:
		file.outside = comes_from_outside(st);
		file.kind = FILE_STREAM;
		file.socket = SOCKET_NEW;
		break;
	case S_IFCHR:
		if ((st->rdev == DEVICE_RANDOM || st->rdev == DEVICE_URANDOM) &&
			!(process.relax & RELAX_RANDOM))
			file.kind = FILE_RANDOM;
		else if (st->rdev == DEVICE_NULL || st->rdev == DEVICE_ZERO ||
			 st->rdev == DEVICE_FULL)
			file.kind = FILE_STILL;
		else if (is_terminal(st->rdev))
			file.kind = FILE_TERMINAL;
		break;
	}
	if (file.kind == FILE_TERMINAL)
		process.arena->terminals = 1;
	/* Not the program looks at it, and perhaps not in turn: no time passes by this. */
	if (file.kind == FILE_REGULAR || file.kind == FILE_DIRECTORY)
		file.inode = inode_index(inode_look(self, st->dev, st->ino));
	return file;
}

/* A vfork's child shares our memory, but its descriptors are its own. */
static struct file *place(struct thread *self, uint64_t fd)
{
	return fd < REMEMBERED && !self->other_files ? &known[fd] : &self->file;
}

/* An object without a type and a name of its own: the kernel tells what it is, we whether it is
 * ours. */
static struct file look_anonymous(uint64_t fd)
{
	static const char inotify[] = "anon_inode:inotify", eventfd[] = "anon_inode:[eventfd]";
	static const char pidfd[] = "anon_inode:[pidfd]";
	char link[sizeof(eventfd)] = { 0 };
	uint32_t place = 0;

	descriptor_path((long)fd, link, sizeof(link));
	if (memcmp(link, inotify, sizeof(inotify)) == 0)
		return (struct file){ .kind = FILE_INOTIFY };
	if (memcmp(link, pidfd, sizeof(pidfd)) == 0)
		return (struct file){ .kind = FILE_PIDFD, .inode = (uint32_t)pidfd_process(fd) };
	if (!(process.relax & RELAX_TIME) && memcmp(link, eventfd, sizeof(eventfd)) == 0)
		place = timerfd_place(fd);
	return place ? (struct file){ .kind = FILE_TIMER, .inode = place }
		     : (struct file){ .kind = FILE_EVENT };
}

static void note(uint64_t fd, const struct file *file)
{
	bool timer = file->kind == FILE_TIMER;

	if (!timer && file->kind != FILE_PIDFD && file->kind != FILE_TERMINAL)
		return;
	if (fd < REMEMBERED && (int)fd >= noted_end)
		noted_end = (int)fd + 1;
	if (timer)
		timers_changed(0);
}

/* /dev/tty stands for the process's own, whichever that is. */
static bool is_outside_terminal(uint64_t fd)
{
	uint32_t number = 0;

	if (sys(__NR_ioctl, (int)fd, TIOCGDEV, &number))
		return false;
	for (int i = 0; i < 3; i++)
		if (number && process.arena->config.outside[i].terminal == number)
			return true;
	return false;
}

struct file *file_of(struct thread *self, uint64_t fd)
{
	struct file *file = place(self, fd);
	struct kernel_stat st;

	if (file != &self->file && file->kind)
		return file;
	if (descriptor_hidden(fd) || sys(__NR_fstat, (int)fd, &st)) {
		file = &self->file;
		*file = (struct file){ 0 };
	} else {
		*file = st.mode & S_IFMT ? look(self, &st) : look_anonymous(fd);
		if (file->kind == FILE_TERMINAL)
			file->outside = is_outside_terminal(fd);
		note(fd, file);
	}
	return file;
}

void file_set(struct thread *self, uint64_t fd, struct file file)
{
	if (fd >= REMEMBERED || self->other_files)
		return;
	known[fd] = file;
	note(fd, &file);
}

/* Some must be known before they are used; and of an own offset nothing else would tell. */
void file_duplicated(struct thread *self, uint64_t from, uint64_t to)
{
	uint8_t kind = from < REMEMBERED ? known[from].kind : FILE_UNKNOWN;

	if (kind == FILE_TIMER || kind == FILE_PIDFD || kind == FILE_TERMINAL ||
		(kind == FILE_REGULAR && known[from].opened))
		file_set(self, to, known[from]);
}

void file_opened(struct thread *self, uint64_t fd)
{
	struct file *file = file_of(self, fd);

	if (file->kind == FILE_REGULAR || file->kind == FILE_DIRECTORY)
		inode_met(self, inode_at(file->inode), file->kind == FILE_DIRECTORY);
	if (file != &self->file)
		file->opened = shared + 1;
}

bool file_is_own(const struct file *file)
{
	return file->opened == shared + 1;
}

void files_shared(void)
{
	shared++;
}

void files_lock(void)
{
	locked = true;
}

bool files_locked(void)
{
	return locked;
}

void files_directory_changed(void)
{
	directory = UNSURE;
}

bool files_directory_ordinary(struct thread *self)
{
	struct kernel_stat st;

	if (self->other_files)
		return false;
	if (directory == UNSURE && sys(__NR_newfstatat, AT_FDCWD, ".", &st, 0) == 0)
		directory = stat_is_ordinary(st.dev) ? ORDINARY : OTHER;
	return directory == ORDINARY;
}

int file_next(const struct thread *self, enum file_kind kind, int fd)
{
	for (; fd < noted_end && !self->other_files; fd++)
		if (known[fd].kind == kind)
			return fd;
	return -1;
}

int file_next_tcp(const struct thread *self, int fd)
{
	for (; fd < REMEMBERED && !self->other_files; fd++)
		if (known[fd].socket == SOCKET_TCP)
			return fd;
	return -1;
}

void file_seen(struct thread *self, uint64_t fd, const struct kernel_stat *st)
{
	struct file *file = place(self, fd);

	if (file != &self->file && !file->kind && (st->mode & S_IFMT) &&
		(st->mode & S_IFMT) != S_IFCHR && !descriptor_hidden(fd))
		*file = look(self, st);
}

struct inode *file_inode(struct thread *self, uint64_t fd)
{
	const struct file *file = file_of(self, fd);

	switch (file->kind) {
	case FILE_REGULAR:
	case FILE_DIRECTORY:
	case FILE_PYC:
		return inode_at(file->inode);
	default:
		return NULL;
	}
}

void file_written(struct thread *self, uint64_t fd)
{
	struct inode *inode = process.relax & RELAX_MTIME ? NULL : file_inode(self, fd);

	ahead_write(self, inode);
	if (inode)
		inode_mark(self, inode, INODE_MTIME | INODE_CTIME);
}

void file_forget(uint64_t first, uint64_t last)
{
	listing_forget(first, last);
	for (uint64_t fd = first; fd <= last && fd < REMEMBERED; fd++)
		known[fd] = (struct file){ 0 };
}
