#include "guest/files.h"

#include "guest/listing.h"
#include "guest/process.h"
#include "guest/text.h"
#include "guest/timerfd.h"
#include "guest/timers.h"

#define REMEMBERED 4096 /* descriptors above are looked at each time */

static struct file known[REMEMBERED];
static int timers_end; /* descriptors from here on lead to no timers */

#define TYPE_MASK 0170000
enum {
	TYPE_FIFO = 010000,
	TYPE_DEVICE = 020000, /* of characters */
	TYPE_DIRECTORY = 040000,
	TYPE_REGULAR = 0100000,
	TYPE_SOCKET = 0140000,
};
enum { DEVICE_RANDOM = 0x108, DEVICE_URANDOM = 0x109 }; /* 1:8, 1:9 */

static struct file look(const struct kernel_stat *st)
{
	switch (st->mode & TYPE_MASK) {
	case TYPE_REGULAR:
		return (struct file){ .kind = FILE_REGULAR };
	case TYPE_DIRECTORY:
		return (struct file){ .kind = FILE_DIRECTORY };
	case TYPE_FIFO:
	case TYPE_SOCKET:
		return (struct file){ .kind = FILE_STREAM };
	case TYPE_DEVICE:
		if ((st->rdev == DEVICE_RANDOM || st->rdev == DEVICE_URANDOM) &&
			!(process.relax & RELAX_RANDOM))
			return (struct file){ .kind = FILE_RANDOM };
		return (struct file){ .kind = FILE_OTHER };
	default:
		return (struct file){ .kind = FILE_OTHER };
	}
}

/* An object without a type and a name of its own: the kernel tells what it is, we whether it is ours. */
static struct file look_anonymous(uint64_t fd)
{
	static const char inotify[] = "anon_inode:inotify", eventfd[] = "anon_inode:[eventfd]";
	char name[48], link[sizeof(eventfd)] = { 0 };
	uint32_t place = 0;

	text_put_number(text_put(name, "thread-self/fd/"), (long)fd);
	sys(__NR_readlinkat, FD_PROC, name, link, sizeof(link) - 1);
	if (memcmp(link, inotify, sizeof(inotify)) == 0)
		return (struct file){ .kind = FILE_INOTIFY };
	if (!(process.relax & RELAX_TIME) && memcmp(link, eventfd, sizeof(eventfd)) == 0)
		place = timerfd_place(fd);
	return place ? (struct file){ .kind = FILE_TIMER, .inode = place }
		     : (struct file){ .kind = FILE_OTHER };
}

static void note_timer(uint64_t fd)
{
	if (fd < REMEMBERED && (int)fd >= timers_end)
		timers_end = (int)fd + 1;
	timers_changed(0);
}

struct file *file_of(struct thread *self, uint64_t fd)
{
	/* A vfork's child shares our memory, but its descriptors are its own. */
	struct file *file = fd < REMEMBERED && !self->other_files ? &known[fd] : &self->file;
	struct kernel_stat st;

	if (file != &self->file && file->kind)
		return file;
	if (descriptor_hidden(fd) || sys(__NR_fstat, (int)fd, &st)) {
		file = &self->file;
		*file = (struct file){ 0 };
	} else {
		*file = st.mode & TYPE_MASK ? look(&st) : look_anonymous(fd);
		if (file->kind == FILE_TIMER)
			note_timer(fd);
	}
	return file;
}

void file_set(struct thread *self, uint64_t fd, struct file file)
{
	if (fd >= REMEMBERED || self->other_files)
		return;
	known[fd] = file;
	if (file.kind == FILE_TIMER)
		note_timer(fd);
}

/* Only timers must be known before they are used. */
void file_duplicated(struct thread *self, uint64_t from, uint64_t to)
{
	if (from < REMEMBERED && known[from].kind == FILE_TIMER)
		file_set(self, to, known[from]);
}

int file_next_timer(const struct thread *self, int fd)
{
	for (; fd < timers_end && !self->other_files; fd++)
		if (known[fd].kind == FILE_TIMER)
			return fd;
	return -1;
}

void file_forget(uint64_t first, uint64_t last)
{
	listing_forget(first, last);
	for (uint64_t fd = first; fd <= last && fd < REMEMBERED; fd++)
		known[fd] = (struct file){ 0 };
}
