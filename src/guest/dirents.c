/*
 * Directories: entries come in the order of their names, positions count entries, numbers are those
 * that stat shows, and the guest's own descriptors are not among them.
 */
#include "guest/descriptor.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/listing.h"
#include "guest/numbers.h"
#include "guest/proc.h"

enum { DT_UNKNOWN = 0, DT_DIR = 4 };
#define NAME_MAX	   255
#define TYPE_OF_MODE(mode) (uint8_t)((mode) >> 12 & 15)

/* Both forms of entries; the old one has its type in the record's last byte. */
struct old_entry {
	uint64_t inode, next;
	uint16_t length;
	char name[];
};
enum form { OLD, NEW };

/* Of the container's /proc; looked up once. */
static uint64_t proc_itself(void)
{
	static uint64_t device;
	struct kernel_stat st;

	if (!device && sys(__NR_newfstatat, FD_PROC, "", &st, AT_EMPTY_PATH) == 0)
		device = st.dev;
	return device;
}

static bool hidden_name(const char *name)
{
	uint64_t n = 0;

	if (name[0] != '2')
		return false;
	for (; *name; name++) {
		if (*name < '0' || *name > '9')
			return false;
		n = n * 10 + (uint64_t)(*name - '0');
	}
	return descriptor_hidden(n);
}

/* Is the entry one of the guest's descriptors? Processes have such names too, but are
 * directories. */
static bool hidden_entry(const struct listed *entry)
{
	return entry->type != DT_DIR && hidden_name(entry->name);
}

/* Removes such entries from a listing of /proc, and all that its fixed tree does not have. */
static void remove_hidden(struct listing *listing, uint64_t fd)
{
	char directory[PROC_PATH];

	descriptor_path((int)fd, directory, sizeof(directory));
	for (uint64_t at = 0; at < listing->bytes;) {
		struct listed *entry = (struct listed *)(listing->memory + at);
		uint16_t length = entry->length;

		if (!hidden_entry(entry) && !proc_hidden(directory, entry->name)) {
			at += length;
			continue;
		}
		listing->bytes -= length;
		memmove(entry, (char *)entry + length, listing->bytes - at);
	}
}

/* Whether something is mounted on one of its entries: the listing shows what lies below. */
static bool has_mounts(const struct kernel_stat *directory)
{
	const struct arena_config *config = &process.arena->config;

	for (uint32_t i = 0; i < config->mount_parents; i++)
		if (config->mount_parent[i].inode == directory->ino &&
			config->mount_parent[i].device == directory->dev)
			return true;
	return config->mount_parents == MOUNT_PARENTS;
}

/*
 * Is an entry's number that of another file than stat would show? True of all when the file system
 * does not give the directory itself its own number: an overlay over several devices, or a FUSE
 * file system, do not. The parent of a file system's root is another one's.
 */
static bool numbers_differ(const struct listing *listing, const struct kernel_stat *directory)
{
	return listing->count < 2 || listing_entry(listing, 0)->inode != directory->ino ||
	       has_mounts(directory);
}

static void number(
	struct thread *self, struct numbered_directory *in, struct listed *entry, bool ask)
{
	uint64_t device = in->st->dev, inode = entry->inode;
	struct kernel_stat st;

	if ((ask || entry->type == DT_UNKNOWN) &&
		sys(__NR_newfstatat, in->fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		device = st.dev;
		inode = st.ino;
		entry->type = TYPE_OF_MODE(st.mode);
	}
	if (!(process.relax & RELAX_INODE))
		entry->inode = number_in(self, in, inode_look(self, device, inode), entry->name);
}

/* Gives all entries, which are in order, the values that the program sees. */
static void number_all(struct thread *self, struct listing *listing,
	const struct kernel_stat *directory, uint64_t fd)
{
	struct numbered_directory in = { (int)fd, directory, 0 };
	bool ask = numbers_differ(listing, directory);
	uint64_t own = listing->count ? listing_entry(listing, 0)->inode : 0;

	for (uint64_t i = 0; i < listing->count; i++) {
		struct listed *entry = listing_entry(listing, i);

		entry->next = (int64_t)i + 1;
		number(self, &in, entry, ask || (i == 1 && entry->inode == own));
	}
}

static long fill(struct thread *self, struct listing *listing, uint64_t fd)
{
	struct kernel_stat st;
	long r = sys(__NR_fstat, (int)fd, &st);
	bool proc;

	if (r)
		return r;
	inode_listed(self, inode_look(self, st.dev, st.ino));
	r = listing_read(listing, fd);
	if (r)
		return r;
	proc = st.dev == proc_itself();
	if (proc)
		remove_hidden(listing, fd);
	r = listing_sort(listing, proc);
	if (r)
		return r;
	if (process.arena->config.backwards && !proc)
		listing_turn(listing);
	number_all(self, listing, &st, fd);
	return 0;
}

/*
 * The directory as it is now; its offset is moved. 0 or -errno. Some file systems (btrfs, tmpfs
 * since Linux 6.14) show nothing that was made after the directory was opened or last moved to its
 * start: so that is done even when it is there.
 */
static long listing_make(struct thread *self, uint64_t fd, struct listing **result)
{
	struct listing *listing = listing_new(self, fd);
	long r;

	if (!listing)
		return -ENOMEM;
	sys(__NR_lseek, (int)fd, 0, SEEK_SET);
	r = fill(self, listing, fd);
	*result = listing;
	if (r)
		listing_put(listing, false);
	return r;
}

/* How far a call has come; kept in memory when the program's buffer turns out not to be there. */
struct progress {
	char *to;
	uint64_t room, position;
};

static uint64_t name_bytes(const struct listed *entry)
{
	return strlen(entry->name) + 1;
}

static uint64_t length_in(const struct listed *entry, enum form form)
{
	if (form == NEW)
		return entry->length;
	return (offsetof(struct old_entry, name) + name_bytes(entry) + 1 + 7) & ~7ull;
}

static void write_new(char *to, const struct listed *entry)
{
	volatile uint64_t *word = (volatile uint64_t *)to;
	const uint64_t *from = (const uint64_t *)entry;

	for (uint16_t i = 0; i < entry->length / 8; i++)
		word[i] = from[i];
}

static void write_old(char *to, const struct listed *entry, uint64_t length)
{
	struct old_entry *old = (struct old_entry *)to;

	*old = (struct old_entry){ entry->inode, (uint64_t)entry->next, (uint16_t)length };
	memcpy(old->name, entry->name, name_bytes(entry));
	to[length - 1] = (char)entry->type;
}

static __attribute__((noinline)) void write_entries(
	const struct listing *listing, enum form form, volatile struct progress *progress)
{
	while (progress->position < listing->count) {
		const struct listed *entry = listing_entry(listing, progress->position);
		uint64_t length = length_in(entry, form);

		if (length > progress->room)
			break;
		if (form == NEW)
			write_new(progress->to, entry);
		else
			write_old(progress->to, entry, length);
		progress->to += length;
		progress->room -= length;
		progress->position++;
	}
}

/* What fits, or why nothing does. */
static long give(struct thread *self, const struct listing *listing, enum form form, long *position)
{
	uint64_t room = (uint32_t)argument(self, 2);
	volatile struct progress progress = { (char *)argument(self, 1), room,
		(uint64_t)*position };
	struct fault_frame frame;
	volatile long error = -EFAULT;

	if (!fault_arm(&frame)) {
		write_entries(listing, form, &progress);
		fault_disarm();
		error = progress.position < listing->count ? -EINVAL : 0;
	}
	if (progress.room == room)
		return error;
	*position = (long)progress.position;
	return (long)(room - progress.room);
}

/* At its start a directory is read anew, else it is as it was then. */
static long list(struct thread *self, enum form form)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	long offset = sys(__NR_lseek, (int)fd, 0, SEEK_CUR), position = offset, r = 0;
	struct listing *listing;

	if (failed(offset))
		return pass_on(self); /* the kernel says what is wrong */
	listing = offset ? listing_take(self, fd) : NULL;
	if (!listing) {
		r = listing_make(self, fd, &listing);
		offset = -1;
	}
	if (r == 0) {
		r = give(self, listing, form, &position);
		listing_put(listing, true);
	}
	if (position != offset)
		sys(__NR_lseek, (int)fd, position, SEEK_SET);
	return r;
}

/* In the program's memory, between fault_arm and fault_disarm, which the numbering uses too. */
static uint64_t number_there(
	struct thread *self, struct numbered_directory *in, uint64_t inode, const char *name)
{
	struct fault_frame *armed = self->fault;
	char copy[NAME_MAX + 1] = { 0 };
	uint64_t number;

	for (int i = 0; i < NAME_MAX && name[i]; i++)
		copy[i] = name[i];
	number = number_in(self, in, inode_look(self, in->st->dev, inode), copy);
	self->fault = armed;
	return number;
}

/* Native order and positions; but hidden descriptors and numbers are as ever. */
static __attribute__((noinline)) long mend_native(
	struct thread *self, char *entries, long bytes, enum form form)
{
	uint64_t fd = argument(self, 0);
	char directory[PROC_PATH];
	struct kernel_stat st;
	struct numbered_directory in = { (int)fd, &st, 0 };
	bool proc;

	sys(__NR_fstat, (int)fd, &st);
	proc = st.dev == proc_itself();
	if (proc)
		descriptor_path((int)fd, directory, sizeof(directory));
	for (long at = 0; at < bytes;) {
		struct listed *entry = (struct listed *)(entries + at);
		uint16_t length = entry->length;
		char type = form == OLD ? entries[at + length - 1] : (char)entry->type;
		const char *name = form == OLD ? ((struct old_entry *)entry)->name : entry->name;

		if (proc &&
			((type != DT_DIR && hidden_name(name)) || proc_hidden(directory, name))) {
			bytes -= length;
			memmove(entry, entries + at + length, (size_t)(bytes - at));
			continue;
		}
		if (!(process.relax & RELAX_INODE))
			entry->inode = number_there(self, &in, entry->inode, name);
		at += length;
	}
	return bytes;
}

static long list_native(struct thread *self, enum form form)
{
	struct fault_frame frame;
	long r;

	do {
		r = pass_on(self);
		if (r <= 0)
			return r;
		if (fault_arm(&frame))
			return -EFAULT;
		r = mend_native(self, (char *)argument(self, 1), r, form);
		fault_disarm();
	} while (r == 0); /* a listing that holds nothing else is not the end of the directory */
	return r;
}

long handle_getdents(struct thread *self)
{
	return process.relax & RELAX_DIRENTS ? list_native(self, OLD) : list(self, OLD);
}

long handle_getdents64(struct thread *self)
{
	return process.relax & RELAX_DIRENTS ? list_native(self, NEW) : list(self, NEW);
}

/* As on a file system that knows no holes: data up to the end, and there a hole. */
static long seek_hole(struct thread *self, int whence)
{
	int fd = (int)argument(self, 0);
	int64_t offset = (int64_t)argument(self, 1);
	struct kernel_stat st;

	if (file_of(self, (uint32_t)fd)->kind != FILE_REGULAR || sys(__NR_fstat, fd, &st))
		return pass_on(self);
	if (offset < 0 || offset >= st.size)
		return -ENXIO;
	return sys_window(__NR_lseek, fd, whence == SEEK_HOLE ? st.size : offset, SEEK_SET);
}

/* Where a directory ends is the file system's affair: as on one that does not say. */
long handle_lseek(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	int whence = (int)argument(self, 2);

	if ((whence == SEEK_DATA || whence == SEEK_HOLE) && !(process.relax & RELAX_INODE))
		return seek_hole(self, whence);
	if (whence == SEEK_END && !(process.relax & RELAX_DIRENTS) &&
		file_of(self, fd)->kind == FILE_DIRECTORY)
		return -EINVAL;
	return pass_on(self);
}
