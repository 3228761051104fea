#include "guest/files.h"

#include "guest/listing.h"
#include "guest/process.h"
#include "guest/text.h"

#define REMEMBERED 4096 /* descriptors above are looked at each time */

static struct file known[REMEMBERED];

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
		if (st->rdev == DEVICE_RANDOM || st->rdev == DEVICE_URANDOM)
			return (struct file){ .kind = FILE_RANDOM };
		return (struct file){ .kind = FILE_OTHER };
	default:
		return (struct file){ .kind = FILE_OTHER };
	}
}

/* Files without a type are made by the kernel alone, and told apart by their names only. */
static uint8_t kind_of_nameless(uint64_t fd)
{
	static const char inotify[] = "anon_inode:inotify";
	char name[32], link[sizeof(inotify)] = { 0 };

	*text_put_number(text_put(name, "self/fd/"), (long)fd) = '\0';
	sys(__NR_readlinkat, FD_PROC, name, link, sizeof(link));
	return memcmp(link, inotify, sizeof(inotify) - 1) == 0 ? FILE_INOTIFY : FILE_OTHER;
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
		*file = look(&st);
		if (!(st.mode & TYPE_MASK))
			file->kind = kind_of_nameless(fd);
	}
	return file;
}

void file_forget(uint64_t first, uint64_t last)
{
	listing_forget(first, last);
	for (uint64_t fd = first; fd <= last && fd < REMEMBERED; fd++)
		known[fd] = (struct file){ 0 };
}
