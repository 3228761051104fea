#include "guest/names.h"

#include "guest/descriptor.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/proc.h"
#include "guest/text.h"

static bool is_self_exe(const char *path)
{
	const char *rest;

	if (memcmp(path, "/proc/", 6) != 0)
		return false;
	rest = path + 6;
	if (memcmp(rest, "self/", 5) == 0)
		return memcmp(rest + 5, "exe", 4) == 0;
	if (memcmp(rest, "thread-self/", 12) == 0)
		return memcmp(rest + 12, "exe", 4) == 0;
	for (long pid = 0; *rest >= '0' && *rest <= '9'; rest++) {
		pid = pid * 10 + (*rest - '0');
		if (rest[1] == '/' && pid == sys(__NR_getpid))
			return memcmp(rest + 2, "exe", 4) == 0;
	}
	return false;
}

/* Most paths are plain, and this is all that it costs to know. */
static __attribute__((noinline)) enum name_kind classify_text(const char *path)
{
	const char *last = path, *c;

	for (c = path; *c; c++)
		if (*c == '/')
			last = c + 1;
	if (last[0] == 'l' && last[1] == 'd' && (last[2] == '-' || memcmp(last + 2, ".so", 4) == 0))
		return NAME_LOADER;
	if (process.carried && last[0] == 'e' && is_self_exe(path))
		return NAME_SELF;
	if (c - last > 4 && c[-1] == 'c' && memcmp(c - 4, ".pyc", 4) == 0)
		return NAME_PYC;
	return NAME_PLAIN;
}

enum name_kind names_classify(uint64_t path)
{
	struct fault_frame frame;
	enum name_kind kind;

	if (fault_arm(&frame))
		return NAME_PLAIN; /* the kernel will say EFAULT */
	kind = classify_text((const char *)path);
	fault_disarm();
	return kind;
}

/* Most names are seen to be elsewhere at once. */
bool names_absent(uint64_t path)
{
	struct fault_frame frame;
	const volatile char *text = (const char *)path;
	bool absent;

	if (fault_arm(&frame))
		return false;
	absent = text[0] == '/' && (text[1] == 'p' || text[1] == '/') &&
		 proc_absent((const char *)path);
	fault_disarm();
	return absent;
}

bool names_is_own_program(uint64_t path)
{
	return process.carried && names_classify(path) == NAME_SELF;
}

const char *names_own_program(const char *path)
{
	return names_is_own_program((uint64_t)path) ? program_path : path;
}

bool names_is_guest(uint64_t device, uint64_t inode)
{
	const struct arena_config *config = &process.arena->config;

	return inode == config->guest_inode && device == config->guest_device;
}

bool name_status(struct name name, uint64_t flags, struct kernel_stat *st)
{
	return sys(__NR_newfstatat, name.dirfd, name.path, st, flags) == 0;
}

struct inode *name_inode(struct thread *self, struct name name, uint64_t flags)
{
	struct kernel_stat st;

	return name_status(name, flags, &st) ? inode_seen(self, &st) : NULL;
}

bool name_cut(struct name name, char path[PATH_MAX])
{
	long length = string_length(name.path, PATH_MAX - 1);

	if (length < 0 || copy_in(path, name.path, (size_t)length))
		return false;
	while (length > 1 && path[length - 1] == '/')
		length--;
	while (length > 0 && path[length - 1] != '/')
		length--;
	if (length == 0)
		path[length++] = '.';
	path[length] = 0;
	return true;
}

struct inode *name_parent(struct thread *self, struct name name)
{
	char path[PATH_MAX];
	struct kernel_stat st;

	if (!name_cut(name, path) ||
		!name_status((struct name){ name.dirfd, (uint64_t)path }, 0, &st))
		return NULL;
	return inode_look(self, st.dev, st.ino);
}

bool name_last(struct name name, char *last, size_t room)
{
	char path[PATH_MAX];
	long end = string_length(name.path, PATH_MAX - 1), start;

	if (end <= 0 || copy_in(path, name.path, (size_t)end))
		return false;
	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/';)
		start--;
	if (start == end || (size_t)(end - start) >= room)
		return false;
	memcpy(last, path + start, (size_t)(end - start));
	last[end - start] = 0;
	return !text_is_dots(last);
}

static long read_link(struct thread *self, int dirfd, uint64_t path, uint64_t buffer, long bytes)
{
	long length;

	if (names_absent(path))
		return -ENOENT;
	if (!names_is_own_program(path)) {
		length = pass_on(self);
		return length > 0 ? proc_link(self, dirfd, path, buffer, length, bytes) : length;
	}
	if (bytes <= 0)
		return -EINVAL;
	length = (long)strlen(program_path);
	if (length > bytes)
		length = bytes;
	return copy_out(buffer, program_path, (size_t)length) ? -EFAULT : length;
}

long handle_readlink(struct thread *self)
{
	return read_link(
		self, AT_FDCWD, argument(self, 0), argument(self, 1), (int)argument(self, 2));
}

long handle_readlinkat(struct thread *self)
{
	return read_link(self, (int)argument(self, 0), argument(self, 1), argument(self, 2),
		(int)argument(self, 3));
}

/* Where paths begin, from now on, is looked at when it matters. */
long handle_fchdir(struct thread *self)
{
	files_directory_changed();
	return pass_on(self);
}

long handle_chdir(struct thread *self)
{
	files_directory_changed();
	return handle_name(self);
}

/* Other calls that take a name: it must not lead out of the tree that /proc shows. */
long handle_name(struct thread *self)
{
	return names_absent(argument(self, 0)) ? -ENOENT : pass_on(self);
}

long handle_name_at(struct thread *self)
{
	return names_absent(argument(self, 1)) ? -ENOENT : pass_on(self);
}

/* What the name leads to, by a descriptor that is to be closed unless it is the name's own. */
static long open_path(struct name name, uint64_t flags)
{
	if (flags & AT_EMPTY_PATH && (!name.path || string_length(name.path, 1) == 0))
		return name.dirfd;
	return sys(__NR_openat, name.dirfd, name.path,
		O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0));
}

static void close_path(struct name name, long fd)
{
	if (fd != name.dirfd)
		sys(__NR_close, fd);
}

bool name_canonical(struct name name, uint64_t flags, char path[PATH_MAX])
{
	long fd = open_path(name, flags);

	if (failed(fd))
		return false;
	descriptor_path(fd, path, PATH_MAX);
	close_path(name, fd);
	return path[0] == '/';
}
