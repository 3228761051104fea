/*
 * System V semaphores: operations that have to wait do so in line. The kernel serves who came first
 * before the change that lets it go on is over, and so does the line.
 */
#include "guest/semaphores.h"

#include "guest/handlers.h"
#include "guest/in_line.h"
#include "guest/limits.h"
#include "guest/turn.h"

#define IPC_RMID       0
#define IPC_SET	       1
#define IPC_NOWAIT     04000
#define SEM_UNDO       010000
#define GETVAL	       12
#define GETNCNT	       14
#define GETZCNT	       15
#define SETVAL	       16
#define SETALL	       17
#define OPERATIONS_MAX 500
#define CLONE_SYSVSEM  0x40000

struct operation {
	uint16_t number;
	int16_t change, flags;
};

struct operations {
	uint32_t count;
	struct operation given[OPERATIONS_MAX], tried[OPERATIONS_MAX];
};

/* Some operation is undone at the process's end. */
static bool undoes;

static uint64_t set_object(uint64_t id)
{
	return line_object(LINE_SEMAPHORES, (uint32_t)id);
}

/* Which of the operations has to wait: as the kernel goes through them. */
static const struct operation *blocking(uint64_t id, const struct operations *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct operation *one = &all->given[i];
		long value = sys(__NR_semctl, id, one->number, GETVAL);

		if (failed(value))
			break;
		for (uint32_t j = 0; j < i; j++)
			if (all->given[j].number == one->number)
				value += all->given[j].change;
		if (one->change ? value + one->change < 0 : value != 0)
			return one;
	}
	return &all->given[0];
}

/* What a waiter is counted under: the semaphore, and whether it is to be 0. */
static uint64_t note_of(uint16_t number, bool zero)
{
	return (uint64_t)number << 1 | zero;
}

static long attempt_operations(struct thread *self, struct line *line)
{
	const struct operations *all = (const struct operations *)line->args[0];
	uint64_t id = argument(self, 0);
	long r = sys(__NR_semop, id, all->tried, all->count);

	if (r == -EAGAIN) {
		const struct operation *one = blocking(id, all);

		if (one->flags & IPC_NOWAIT)
			return r;
		line->note = note_of(one->number, !one->change);
		return NOT_READY;
	}
	return r == -EINVAL && line->waited ? -EIDRM : r;
}

/* A call with operations that the guest can try; else the kernel says what is wrong. */
static bool take_operations(struct thread *self, struct operations *all)
{
	uint64_t count = argument(self, 2);

	if (count == 0 || count > OPERATIONS_MAX ||
		copy_in(all->given, argument(self, 1), count * sizeof(all->given[0])))
		return false;
	all->count = (uint32_t)count;
	for (uint32_t i = 0; i < count; i++) {
		all->tried[i] = all->given[i];
		all->tried[i].flags |= IPC_NOWAIT;
		if (all->given[i].flags & SEM_UNDO)
			undoes = true;
	}
	return true;
}

static long operate(struct thread *self, uint64_t deadline)
{
	struct operations all;
	struct line line = {
		.object = set_object(argument(self, 0)),
		.attempt = attempt_operations,
		.deadline = deadline,
		.args = { (long)&all },
	};
	long r;

	if (!take_operations(self, &all))
		return sys(__NR_semop, argument(self, 0), argument(self, 1), argument(self, 2));
	r = line_run(self, &line);
	if (r == 0)
		line_changed(self, line.object);
	return r == NOT_READY ? -EAGAIN : r;
}

long handle_semop(struct thread *self)
{
	return operate(self, NEVER);
}

long handle_semtimedop(struct thread *self)
{
	struct timespec64 limit;

	if (!turns_matter())
		return limited_semop(self);
	if (!argument(self, 3))
		return operate(self, NEVER);
	if (copy_in(&limit, argument(self, 3), sizeof(limit)))
		return -EFAULT;
	if (!span_valid(&limit))
		return -EINVAL;
	return operate(self, wait_deadline(self, span_ns(&limit)));
}

/* How many stand in line for a semaphore to grow, or to be 0. */
static long count_waiting(uint64_t id, uint64_t note)
{
	const struct waiter *waiter;
	uint32_t at = 0;
	long count = 0;

	while ((waiter = line_next(set_object(id), &at)))
		count += waiter->note == note;
	return count;
}

long semaphores_control(struct thread *self, call_handler *control)
{
	uint64_t id = argument(self, 0);
	uint32_t command = (uint32_t)argument(self, 2);
	long r;

	if (!turns_matter())
		return control(self);
	line_settle(self, set_object(id));
	r = control(self);
	if (failed(r))
		return r;
	if (command == IPC_RMID || command == IPC_SET || command == SETVAL || command == SETALL)
		line_changed(self, set_object(id));
	if (command == GETNCNT || command == GETZCNT)
		return count_waiting(id, note_of((uint16_t)argument(self, 1), command == GETZCNT));
	return r;
}

void semaphores_end(void)
{
	if (undoes)
		sys(__NR_unshare, CLONE_SYSVSEM);
}
