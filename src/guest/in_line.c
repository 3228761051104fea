#include "guest/in_line.h"

#include "guest/births.h"
#include "guest/process.h"
#include "guest/task.h"
#include "guest/turn.h"

static struct waiter *waiter_of(uint32_t index)
{
	return &process.arena->waiters[index];
}

uint64_t line_file(enum line_kind kind, uint64_t fd)
{
	struct kernel_stat st;

	if (sys(__NR_fstat, (int)fd, &st))
		return 0;
	return line_object(kind, st.ino ^ st.dev << 40);
}

/* Does the task in this slot stand in the object's line? One that was killed does not. */
static bool stands(uint32_t index, uint64_t object)
{
	const struct waiter *waiter = waiter_of(index);

	return waiter->object == object && task_at(index)->state == TASK_LIVE &&
	       waiter->generation == task_at(index)->generation;
}

static bool stands_in(uint32_t index, const void *object)
{
	return process.arena->lines_used && stands(index, *(const uint64_t *)object);
}

struct waiter *line_next(uint64_t object, uint32_t *at)
{
	uint32_t end = process.arena->lines_used ? tasks_end() : 0;

	while (*at < end)
		if (stands((*at)++, object))
			return waiter_of(*at - 1);
	return NULL;
}

static void stand(const struct thread *self, const struct line *line)
{
	struct waiter *own = waiter_of(self->task);

	if (stands(self->task, line->object))
		return;
	process.arena->lines_used = 1;
	own->ticket = ++process.arena->tickets;
	own->note = line->note;
	own->generation = task_at(self->task)->generation;
	own->object = line->object;
}

/* Must somebody else in the line try before the calling task may? */
static bool is_kept_back(const struct thread *self, uint64_t object)
{
	const struct waiter *own = waiter_of(self->task), *other;
	uint64_t ticket = stands(self->task, object) ? own->ticket : ~0ull;
	uint32_t at = 0;

	while ((other = line_next(object, &at)))
		if (other != own && other->again && other->ticket < ticket)
			return true;
	return false;
}

/* Those who were kept back by the calling task look again. */
static void let_next_try(const struct thread *self, uint64_t object)
{
	struct births walk = { .filter = stands_in, .which = &object };
	uint32_t index;

	while ((index = births_next(&walk)) != NO_TASK)
		if (waiter_of(index)->again)
			turn_wake_one(self->task, PARK_LINE, index);
}

void line_changed(struct thread *self, uint64_t object)
{
	struct births walk = { .filter = stands_in, .which = &object };
	uint32_t index;

	while (turns_matter() && (index = births_next(&walk)) != NO_TASK) {
		waiter_of(index)->again = index != self->task;
		turn_wake_one(self->task, PARK_LINE, index);
	}
}

void lines_changed(uint32_t from)
{
	uint32_t end = turns_matter() && process.arena->lines_used ? tasks_end() : 0;

	for (uint32_t i = 0; i < end; i++)
		if (i != from && waiter_of(i)->object)
			waiter_of(i)->again = 1;
	if (end)
		turn_wake(from, PARK_LINE);
}

static long attempt(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct line *line = (struct line *)wait->args[0];
	long r;

	(void)ns;
	/* Who has waited, and gets what it waited for with a signal, has got it. */
	if (self->pending && !line->waited)
		return -RESTART;
	if (is_kept_back(self, line->object)) {
		stand(self, line);
		waiter_of(self->task)->again = 1;
		return self->pending ? -RESTART : NOT_READY;
	}
	r = line->attempt(self, line);
	if (r == NOT_READY) {
		stand(self, line);
		waiter_of(self->task)->again = 0;
		waiter_of(self->task)->note = line->note;
		let_next_try(self, line->object);
	}
	line->waited = true;
	return r == NOT_READY && self->pending ? -RESTART : r;
}

long line_run(struct thread *self, struct line *line)
{
	struct wait wait = {
		.attempt = attempt,
		.nothing = NOT_READY,
		.deadline = line->deadline,
		.restarts = line->restarts,
		.parks = PARK_LINE,
		.args = { (long)line },
	};
	long r = wait_until(self, &wait);

	if (stands(self->task, line->object)) {
		waiter_of(self->task)->object = 0;
		let_next_try(self, line->object);
	}
	return r;
}

static long nothing_to_do(struct thread *self, struct line *line)
{
	(void)self;
	(void)line;
	return 0;
}

void line_settle(struct thread *self, uint64_t object)
{
	struct line line = { .object = object, .attempt = nothing_to_do, .deadline = NEVER };

	if (turns_matter() && process.arena->lines_used)
		line_run(self, &line);
}
