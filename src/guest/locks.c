/*
 * Locks of files: flock, and those of fcntl, a process's and an open file's. Who has to wait does
 * so in line. As the kernel, a process whose wait for a lock could never end is told so.
 */
#include "guest/locks.h"

#include "guest/in_line.h"
#include "guest/process.h"
#include "guest/task.h"
#include "guest/turn.h"

#define LOCK_NB	       4
#define F_SETLK	       6
#define F_OFD_SETLK    37
#define F_SETLEASE     1024
#define F_NOTIFY       1026
#define F_UNLCK	       2
#define DEADLOCK_STEPS 10 /* as far as the kernel looks */

struct file_lock {
	int16_t type, whence;
	int64_t start, bytes;
	int32_t pid;
};

static uint64_t locks_of(const struct thread *self)
{
	return line_file(LINE_LOCKS, argument(self, 0));
}

/* A lock was taken, changed or given back. */
static void changed(struct thread *self)
{
	if (turns_matter() && process.arena->lines_used)
		line_changed(self, locks_of(self));
}

static long run(struct thread *self, struct line *line)
{
	long r;

	line->object = locks_of(self);
	line->deadline = NEVER;
	line->restarts = true;
	r = line_run(self, line);
	if (r == 0)
		line_changed(self, line->object);
	return r;
}

static long attempt_flock(struct thread *self, struct line *line)
{
	long r = sys(__NR_flock, argument(self, 0), argument(self, 1) | LOCK_NB);

	(void)line;
	return r == -EAGAIN ? NOT_READY : r;
}

long handle_flock(struct thread *self)
{
	struct line line = { .attempt = attempt_flock };
	long r;

	if (turns_matter() && !(argument(self, 1) & LOCK_NB))
		return run(self, &line);
	r = pass_on(self);
	if (r == 0)
		changed(self);
	return r;
}

/* For whom a process waits in a line for locks: its number, or 0. */
static int32_t awaited_by(int32_t pid)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++) {
		const struct waiter *waiter = &process.arena->waiters[i];

		if (task_at(i)->state == TASK_LIVE && task_at(i)->pid == pid && waiter->object &&
			waiter->generation == task_at(i)->generation &&
			waiter->object >> 56 == LINE_LOCKS && waiter->note)
			return (int32_t)waiter->note;
	}
	return 0;
}

static bool is_deadlock(const struct thread *self, int32_t holder)
{
	int32_t own = task_at(self->task)->pid;

	for (int i = 0; i < DEADLOCK_STEPS && holder > 0; i++) {
		holder = awaited_by(holder);
		if (holder == own)
			return true;
	}
	return false;
}

static long attempt_lock(struct thread *self, struct line *line)
{
	uint64_t fd = argument(self, 0), command = argument(self, 1), place = argument(self, 2);
	struct file_lock holder;
	long r = sys(__NR_fcntl, fd, command - 1, place); /* the one that does not wait */

	line->note = 0;
	if (r != -EAGAIN && r != -EACCES)
		return r;
	if (command == F_OFD_SETLKW)
		return NOT_READY;
	if (copy_in(&holder, place, sizeof(holder)) || sys(__NR_fcntl, fd, F_GETLK, &holder) ||
		holder.type == F_UNLCK || holder.pid <= 0)
		return NOT_READY;
	if (is_deadlock(self, holder.pid))
		return -EDEADLK;
	line->note = (uint64_t)holder.pid;
	return NOT_READY;
}

bool lock_command(uint32_t command)
{
	switch (command) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
	case F_SETLEASE:
	case F_NOTIFY:
		return turns_matter();
	default:
		return false;
	}
}

/*
 * Others' opens would wait in the kernel for a lease to be given back, for as long as real time
 * says, and the kernel would tell of it, and of changes in a directory, by signals: there are none,
 * as in file systems without them.
 */
static long no_lease(struct thread *self, bool ends)
{
	return ends ? pass_on(self) : refuse_call(self, -EINVAL);
}

long lock_fcntl(struct thread *self)
{
	struct line line = { .attempt = attempt_lock };
	long r;

	switch ((uint32_t)argument(self, 1)) {
	case F_SETLKW:
	case F_OFD_SETLKW:
		return run(self, &line);
	case F_SETLEASE:
		return no_lease(self, argument(self, 2) == F_UNLCK);
	case F_NOTIFY:
		return no_lease(self, !argument(self, 2));
	default:
		r = pass_on(self);
		if (r == 0)
			changed(self);
		return r;
	}
}
