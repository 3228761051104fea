#include "guest/proc.h"

#include "guest/descriptor.h"
#include "guest/dispatch.h"
#include "guest/facts.h"
#include "guest/files.h"
#include "guest/proc_file.h"
#include "guest/text.h"

/* The kernel's text is the right one. */
#define PROC_NATIVE   (-4096l)

#define SYSCTL_PLACES 1000 /* places from here on are in the other table */
#define DELETED	      " (deleted)"
#define IOV_LIMIT     1024

bool proc_is_own(const struct proc_file *file)
{
	return file->pid == sys(__NR_getpid);
}

const struct facts *proc_facts(const struct proc_file *file)
{
	return file->tid ? facts_find_task(file->self, file->tid)
			 : facts_find_process(file->self, file->pid);
}

void proc_kernels(struct proc_file *file, struct lines *lines, const char *name)
{
	char path[96];

	text_put(text_put(text_put(path, file->directory), "/"), name);
	lines_open(lines, path);
}

void proc_copy(struct proc_file *file)
{
	long fd = sys(__NR_openat, FD_PROC, file->path, O_RDONLY | O_CLOEXEC), n = fd;
	char piece[512];

	while (!failed(fd) && !view_full(&file->view) &&
		(n = sys(__NR_read, fd, piece, sizeof(piece))) > 0)
		view_put(&file->view, piece, (size_t)n);
	if (n < 0)
		file->error = n;
	if (!failed(fd))
		sys(__NR_close, fd);
}

static const struct proc_entry *find(const struct proc_entry *table, const char *name)
{
	for (; table->name; table++)
		if (text_same(table->name, name))
			return table;
	return NULL;
}

/* "PID/..." and "PID/task/TID/..." name the same things of a process and of a thread. */
static void split(struct proc_file *file)
{
	const char *rest, *task;
	uint64_t pid, tid;

	file->name = file->path;
	rest = after_number(file->path, &pid);
	if (!rest)
		return;
	file->pid = (int32_t)pid;
	task = after_prefix(rest, "/task/");
	task = task ? after_number(task, &tid) : NULL;
	if (task && *task) {
		file->tid = (int32_t)tid;
		rest = task;
	}
	memcpy(file->directory, file->path, (size_t)(rest - file->path));
	file->directory[rest - file->path] = 0;
	file->name = after_slash(rest);
}

static const struct proc_entry *entry_of(const struct proc_file *file)
{
	static const struct proc_entry descriptor = WRITTEN("fdinfo/N", proc_fdinfo);
	const char *rest;

	if (file->pid) {
		if (after_prefix(file->name, "fdinfo/"))
			return &descriptor;
		rest = after_prefix(file->name, "net/");
		return rest ? find(proc_network, rest) : find(proc_process, file->name);
	}
	rest = after_prefix(file->name, "sys/");
	return rest ? find(proc_sysctls, rest) : find(proc_machine, file->name);
}

/*
 * Files of the machine are remembered by their place in a table, as struct file's inode, so that
 * the reads which follow the first one need not ask for the path.
 */
static uint32_t place_of(const struct proc_entry *entry)
{
	uint32_t count = 0;

	while (proc_machine[count].name)
		count++;
	if (entry >= proc_machine && entry < proc_machine + count)
		return (uint32_t)(entry - proc_machine) + 1;
	return (uint32_t)(entry - proc_sysctls) + 1 + SYSCTL_PLACES;
}

static const struct proc_entry *known_entry(struct proc_file *file, uint32_t place)
{
	bool sysctl = place > SYSCTL_PLACES;
	const struct proc_entry *entry =
		sysctl ? &proc_sysctls[place - SYSCTL_PLACES - 1] : &proc_machine[place - 1];

	text_put(text_put(file->path, sysctl ? "sys/" : ""), entry->name);
	file->name = file->path;
	return entry;
}

/* What the descriptor leads to: its path below /proc. */
static bool identify(struct proc_file *file, int fd)
{
	char target[PROC_PATH];
	const char *path;

	file->pid = file->tid = 0;
	file->error = 0;
	descriptor_path(fd, target, sizeof(target));
	path = after_prefix(target, "/proc/");
	if (!path || strlen(path) >= sizeof(file->path))
		return false;
	text_put(file->path, path);
	split(file);
	return true;
}

static bool is_gone(const struct proc_file *file)
{
	size_t length = strlen(file->path), tail = sizeof(DELETED) - 1;

	return length > tail && text_same(file->path + length - tail, DELETED);
}

/* A part of a read: into `bytes` of the program's memory at `buffer`, from `offset` of the text. */
struct proc_part {
	uint64_t buffer, bytes, offset;
};

static long write_part(
	struct proc_file *file, const struct proc_entry *entry, const struct proc_part *part)
{
	view_open(&file->view, part->offset, part->buffer, part->bytes);
	if (entry->how == PROC_TEXT)
		view_string(&file->view, entry->text);
	else
		entry->write(file);
	return file->error ? file->error : view_close(&file->view);
}

/* What the descriptor's read would come to, as far as the kernel decides: it may not be open for
 * reading. */
static long prepare(struct proc_file *file, int fd, const struct proc_entry **entry)
{
	struct file *known = file_of(file->self, (uint32_t)fd);
	long r = sys(__NR_read, fd, 0, 0);

	if (failed(r))
		return r;
	if (known->inode) {
		*entry = known_entry(file, known->inode);
	} else {
		if (!identify(file, fd))
			return -EACCES;
		if (is_gone(file))
			return -ESRCH;
		*entry = entry_of(file);
		if (*entry && !file->pid)
			known->inode = place_of(*entry);
	}
	if (!*entry || (*entry)->how == PROC_THERE)
		return -EACCES;
	return (*entry)->how == PROC_KERNELS ? PROC_NATIVE : 0;
}

/* One part after the other, until one is not filled. */
static long read_parts(struct proc_file *file, const struct proc_entry *entry,
	struct proc_part *parts, uint64_t count, uint64_t offset)
{
	long done = 0;

	for (uint64_t i = 0; i < count; i++) {
		long n;

		parts[i].offset = offset + (uint64_t)done;
		n = parts[i].bytes ? write_part(file, entry, &parts[i]) : 0;
		if (n < 0)
			return done ? done : n;
		done += n;
		if ((uint64_t)n < parts[i].bytes)
			break;
	}
	return done;
}

/* `offset` -1: at the descriptor's own. */
static long read_at(
	struct thread *self, int fd, struct proc_part *parts, uint64_t count, int64_t offset)
{
	struct proc_file file = { .self = self };
	const struct proc_entry *entry;
	long r = prepare(&file, fd, &entry), at = offset;

	if (r)
		return r;
	if (offset < 0)
		at = sys(__NR_lseek, fd, 0, SEEK_CUR);
	if (failed(at))
		return at;
	r = read_parts(&file, entry, parts, count, (uint64_t)at);
	if (r <= 0 || offset >= 0)
		return r;
	/* The kernel makes its own text to know where that is: what it does not show to the caller
	 * fails here, as its own read would. */
	at = sys(__NR_lseek, fd, at + r, SEEK_SET);
	return failed(at) ? at : r;
}

/* Offsets below zero are refused by the kernel, and some texts are its own. */
long proc_read(struct thread *self)
{
	struct proc_part part = { argument(self, 1), argument(self, 2), 0 };
	bool own = self->regs.rax == __NR_read;
	int64_t offset = own ? -1 : (int64_t)argument(self, 3);
	long r = PROC_NATIVE;

	if (own || offset >= 0)
		r = read_at(self, (int)argument(self, 0), &part, 1, offset);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

static long read_vector(struct thread *self, int64_t offset)
{
	uint64_t vector = argument(self, 1), count = argument(self, 2), n = 0;
	struct proc_part parts[16];
	struct {
		uint64_t base, bytes;
	} piece;

	if (count > IOV_LIMIT)
		return -EINVAL;
	for (; n < count && n < sizeof(parts) / sizeof(parts[0]); n++) {
		if (copy_in(&piece, vector + n * sizeof(piece), sizeof(piece)))
			return -EFAULT;
		parts[n] = (struct proc_part){ piece.base, piece.bytes, 0 };
	}
	return read_at(self, (int)argument(self, 0), parts, n, offset);
}

/* Few programs have more than a few buffers; what does not fit makes a short read. With preadv2, -1
 * stands for the descriptor's own offset. */
long proc_read_vector(struct thread *self)
{
	bool own = self->regs.rax == __NR_readv;
	int64_t offset = own ? -1 : (int64_t)argument(self, 3), least = 0;
	long r = PROC_NATIVE;

	if (own || self->regs.rax == __NR_preadv2)
		least = -1;
	if (offset >= least)
		r = read_vector(self, offset);
	return r == PROC_NATIVE ? pass_on(self) : r;
}

/* These move bytes inside the kernel; programs that meet a file on which that does not work
 * read. */
long proc_move(struct thread *self)
{
	(void)self;
	return -EINVAL;
}
