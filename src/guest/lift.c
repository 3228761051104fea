#include "guest/lift.h"

#include "guest/descriptor.h"
#include "guest/numbers.h"
#include "guest/owners.h"
#include "guest/stat.h"

#define UNMAPPED    65534 /* how the kernel shows ids that a user namespace does not have */
#define COPY	    ".stet-copy"
#define SENDFILE    0x7ffff000ul /* the kernel moves no more at once */
#define NAMES_BYTES 1024	 /* of extended attributes; what has more is not copied */
#define VALUE_BYTES 4096

static bool is_foreign(const struct kernel_stat *st)
{
	return (st->uid == UNMAPPED || st->gid == UNMAPPED) && stat_is_of_image(st->dev);
}

/* The program's own: user.*, without what overlays note. */
static bool is_shown(const char *name)
{
	return memcmp(name, "user.", 5) == 0 && memcmp(name, "user.overlay.", 13) != 0;
}

static __attribute__((noinline)) bool copy_attributes(long in, long out)
{
	char names[NAMES_BYTES + 16] = { 0 }, value[VALUE_BYTES];
	long bytes = sys(__NR_flistxattr, in, names, NAMES_BYTES), n;

	if (failed(bytes))
		return bytes == -EOPNOTSUPP;
	for (const char *name = names; name < names + bytes; name += strlen(name) + 1) {
		if (!is_shown(name))
			continue;
		n = sys(__NR_fgetxattr, in, name, value, VALUE_BYTES);
		if (failed(n) || failed(sys(__NR_fsetxattr, out, name, value, n, 0)))
			return false;
	}
	return true;
}

static bool copy_content(long in, long out)
{
	long n;

	do
		n = sys(__NR_sendfile, out, in, 0, SENDFILE);
	while (n > 0);
	return n == 0;
}

static bool copy_regular(long file, long directory, uint32_t mode)
{
	long in = descriptor_reopen(file, O_RDONLY | O_CLOEXEC), out;
	bool done;

	if (failed(in))
		return false;
	out = sys(__NR_openat, directory, COPY, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	done = !failed(out) && copy_content(in, out) && copy_attributes(in, out) &&
	       sys(__NR_fchmod, out, mode & 07777) == 0;
	sys(__NR_close, in);
	if (!failed(out))
		sys(__NR_close, out);
	return done;
}

static __attribute__((noinline)) bool copy_link(long file, long directory)
{
	char target[PATH_MAX];
	long n = sys(__NR_readlinkat, file, "", target, sizeof(target) - 1);

	if (failed(n))
		return false;
	target[n] = 0;
	return sys(__NR_symlinkat, target, directory, COPY) == 0;
}

static bool copy(long file, long directory, const struct kernel_stat *st)
{
	if ((st->mode & S_IFMT) == S_IFREG)
		return copy_regular(file, directory, st->mode);
	return (st->mode & S_IFMT) == S_IFLNK && copy_link(file, directory);
}

/* Puts a copy in the place of the file, which the descriptor leads to. */
static __attribute__((noinline)) bool replace(long file, const struct kernel_stat *st)
{
	char path[PATH_MAX], *last = path;
	long directory;
	bool done;

	if (descriptor_path(file, path, sizeof(path)) || path[0] != '/')
		return false;
	for (char *c = path; *c; c++)
		if (*c == '/')
			last = c;
	*last++ = 0;
	directory = sys(__NR_openat, AT_FDCWD, path[0] ? path : "/", O_PATH | O_CLOEXEC);
	if (failed(directory))
		return false;
	done = copy(file, directory, st) &&
	       sys(__NR_renameat, directory, COPY, directory, last) == 0;
	if (!done)
		sys(__NR_unlinkat, directory, COPY, 0);
	sys(__NR_close, directory);
	return done;
}

/* Names come and go meanwhile, which nobody may see who is ahead. */
bool lift_file(struct thread *self, struct name name, uint64_t flags)
{
	struct inode *inode, *lifted;
	struct kernel_stat st;
	long file;
	bool done;

	if (sys(__NR_geteuid) != 0 || !name_status(name, flags, &st) || !is_foreign(&st))
		return false;
	if (!process.arena->config.strict)
		conflict(self, "a file of the image that belongs to another user was changed", "");
	inode = numbered(self, name, flags);
	file = sys(__NR_openat, name.dirfd, name.path,
		O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0));
	if (failed(file))
		return false;
	done = replace(file, &st);
	sys(__NR_close, file);
	if (!done || !name_status(name, flags, &st))
		return false;
	lifted = inode_copied(self, st.dev, st.ino);
	numbered(self, name, flags);
	owner_carry(inode, lifted);
	return true;
}
