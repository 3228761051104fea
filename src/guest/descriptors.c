/* The guest's own descriptors stay out of the program's sight and reach. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/process.h"

#define PROC_SUPER_MAGIC  0x9fa0
#define F_DUPFD		  0
#define F_DUPFD_CLOEXEC	  1030
#define CLOSE_RANGE_FLAGS 6ull /* UNSHARE, CLOEXEC */

long handle_close(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);

	if (descriptor_hidden(fd))
		return -EBADF;
	file_forget(fd, fd);
	return pass_on(self);
}

/* The call gives a second descriptor of the same file. */
static long duplicate(struct thread *self)
{
	long fd = pass_on(self);

	if (!failed(fd))
		file_duplicated(self, (uint32_t)argument(self, 0), (uint64_t)fd);
	return fd;
}

long handle_dup(struct thread *self)
{
	return descriptor_hidden(argument(self, 0)) ? -EBADF : duplicate(self);
}

long handle_dup2(struct thread *self)
{
	uint64_t to = (uint32_t)argument(self, 1);

	if (descriptor_hidden(argument(self, 0)) || descriptor_hidden(to))
		return -EBADF;
	if ((uint32_t)argument(self, 0) != to)
		file_forget(to, to);
	return duplicate(self);
}

long handle_dup3(struct thread *self)
{
	return handle_dup2(self);
}

long handle_fcntl(struct thread *self)
{
	uint32_t command = (uint32_t)argument(self, 1);

	if (descriptor_hidden(argument(self, 0)))
		return -EBADF;
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicate(self) : pass_on(self);
}

/* Around the hidden ones: what lies below, then what lies above. */
long handle_close_range(struct thread *self)
{
	uint32_t first = (uint32_t)argument(self, 0), last = (uint32_t)argument(self, 1);
	uint64_t flags = argument(self, 2);
	long r = 0;

	file_forget(first, last);
	if (first > last || last < HIDDEN_FD_FIRST || first >= HIDDEN_FD_END)
		return pass_on(self);
	if (flags & ~CLOSE_RANGE_FLAGS)
		return -EINVAL;
	if (first < HIDDEN_FD_FIRST)
		r = sys_window(__NR_close_range, first, HIDDEN_FD_FIRST - 1, flags);
	if (r == 0 && last >= HIDDEN_FD_END)
		r = sys(__NR_close_range, HIDDEN_FD_END, last, flags);
	return r;
}

/* Both forms of directory entries: where the record's length and its name are. */
struct entry_form {
	uint16_t length_at, name_at;
	bool type_last; /* the type is the record's last byte, else the one before the name */
};
#define DT_DIR 4

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

/* Is the entry one of the guest's descriptors? Processes have such names too, but are directories. */
static bool hidden_entry(const char *entry, uint16_t length, struct entry_form form)
{
	char type = entry[(form.type_last ? length : form.name_at) - 1];

	return type != DT_DIR && hidden_name(entry + form.name_at);
}

static bool in_proc(uint64_t fd)
{
	uint64_t statfs[15];

	return sys(__NR_fstatfs, fd, statfs) == 0 && statfs[0] == PROC_SUPER_MAGIC;
}

/* Removes such entries; answers the bytes left. */
static __attribute__((noinline)) long remove_hidden(
	char *entries, long bytes, struct entry_form form, uint64_t fd)
{
	for (long at = 0; at < bytes;) {
		uint16_t length = *(uint16_t *)(entries + at + form.length_at);

		if (!hidden_entry(entries + at, length, form)) {
			at += length;
			continue;
		}
		if (!in_proc(fd))
			return bytes;
		memmove(entries + at, entries + at + length, (size_t)(bytes - at - length));
		bytes -= length;
	}
	return bytes;
}

static long without_hidden(struct thread *self, long bytes, struct entry_form form)
{
	struct fault_frame frame;
	long left;

	if (fault_arm(&frame))
		return -EFAULT;
	left = remove_hidden((char *)argument(self, 1), bytes, form, argument(self, 0));
	fault_disarm();
	return left;
}

/* A listing that holds nothing else is not the end of the directory. */
static long list(struct thread *self, struct entry_form form)
{
	long r;

	do {
		r = pass_on(self);
		if (r <= 0)
			return r;
		r = without_hidden(self, r, form);
	} while (r == 0);
	return r;
}

long handle_getdents(struct thread *self)
{
	return list(self, (struct entry_form){ 16, 18, true });
}

long handle_getdents64(struct thread *self)
{
	return list(self, (struct entry_form){ 16, 19, false });
}
