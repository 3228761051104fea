#include "guest/pyc.h"

#include "guest/ahead.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/recorder.h"
#include "guest/text.h"

#define CACHE "__pycache__/"

/* A compiled module's first bytes. */
struct header {
	uint16_t magic, newline; /* "\r\n" */
	uint32_t flags;		 /* 0: the time of the source follows */
	uint32_t time, size;	 /* of the source */
};
#define NEWLINE 0x0a0d

/* DIR/__pycache__/NAME.TAG.pyc is made from DIR/NAME.py, and DIR/NAME.pyc as well. */
static bool source_path(char *path)
{
	char *last = path, *end;

	for (char *c = path; *c; c++)
		if (*c == '/')
			last = c + 1;
	if ((size_t)(last - path) >= sizeof(CACHE) - 1 &&
		memcmp(last - (sizeof(CACHE) - 1), CACHE, sizeof(CACHE) - 1) == 0) {
		memmove(last - (sizeof(CACHE) - 1), last, strlen(last) + 1);
		last -= sizeof(CACHE) - 1;
	}
	for (end = last; *end && *end != '.'; end++)
		;
	if (end == last)
		return false;
	text_put(end, ".py");
	return true;
}

static bool is_initial(struct thread *self, const struct kernel_stat *st)
{
	struct inode *inode = inode_look(self, st->dev, st->ino);

	ahead_look(self, inode);
	return (st->mode & S_IFMT) == S_IFREG && !(inode->flags & (INODE_MADE | INODE_CHANGED));
}

/* Is the file up to date with its source, and are both as they were at the start? */
static bool is_current(struct thread *self, long fd, struct name name, struct kernel_stat *st)
{
	char path[PATH_MAX];
	struct header header;
	long length = string_length(name.path, PATH_MAX - 4);

	if (length < 0 || copy_in(path, name.path, (size_t)length + 1) || !source_path(path))
		return false;
	if (sys(__NR_pread64, fd, &header, sizeof(header), 0) != sizeof(header) ||
		header.newline != NEWLINE || header.flags)
		return false;
	name.path = (uint64_t)path;
	recorder_look(self, name, 0, LOOK_NAME | LOOK_TIME);
	if (!name_status(name, 0, st)) {
		ahead_miss(self, name, true);
		return false;
	}
	return is_initial(self, st) && (uint32_t)st->mtime == header.time &&
	       (uint32_t)st->size == header.size && sys(__NR_fstat, fd, st) == 0 &&
	       is_initial(self, st);
}

void pyc_opened(struct thread *self, long fd, struct name name)
{
	struct kernel_stat st;

	if ((process.relax & RELAX_MTIME) || !is_current(self, fd, name, &st))
		return;
	file_set(self, (uint64_t)fd,
		(struct file){
			.kind = FILE_PYC,
			.inode = inode_index(inode_look(self, st.dev, st.ino)),
		});
}

/* The time that all initial files have, the source among them. */
static long put_time(struct thread *self, uint64_t buffer, long bytes, long offset)
{
	const long place = offsetof(struct header, time);
	int64_t seconds, nsec;
	uint32_t time;

	inode_split(inode_at(file_of(self, argument(self, 0))->inode)->mtime, &seconds, &nsec);
	time = (uint32_t)seconds;
	for (long i = 0; i < (long)sizeof(time); i++)
		if (place + i >= offset && place + i < offset + bytes &&
			copy_out(buffer + (uint64_t)(place + i - offset), (char *)&time + i, 1))
			return -EFAULT;
	return bytes;
}

long pyc_read(struct thread *self)
{
	long offset = (long)argument(self, 3), r = pass_on(self);

	if (r <= 0)
		return r;
	if ((uint32_t)self->regs.rax == __NR_read)
		offset = sys(__NR_lseek, argument(self, 0), 0, SEEK_CUR) - r;
	return offset < (long)sizeof(struct header) ? put_time(self, argument(self, 1), r, offset)
						    : r;
}
