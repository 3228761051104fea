/*
 * POSIX queues of messages: senders and receivers that have to wait do so in line. Who asked to be
 * told of a message by a signal is remembered in the arena, and told by the sender: the kernel's
 * signal would come at no certain time.
 */
#include "guest/message_queues.h"

#include "guest/handlers.h"
#include "guest/in_line.h"
#include "guest/limits.h"
#include "guest/posts.h"
#include "guest/process.h"
#include "guest/task.h"
#include "guest/turn.h"

#define SI_MESGQ     (-3)
#define SIGEV_SIGNAL 0
#define SIGEV_NONE   1

enum { WAITS_TO_SEND = 1, WAITS_TO_RECEIVE }; /* notes of those in line */

struct queue_attributes {
	int64_t flags, messages_most, bytes_most, messages, reserved[4];
};

struct signal_event {
	uint64_t value;
	int32_t signal, notify;
	uint8_t rest[48];
};
_Static_assert(sizeof(struct signal_event) == 64, "struct sigevent");

static bool is_empty(uint64_t fd)
{
	struct queue_attributes attributes;

	return sys(__NR_mq_getsetattr, fd, 0, &attributes) == 0 && attributes.messages == 0;
}

static bool holds(const struct notification *one, uint64_t object)
{
	const struct task *task = task_at(one->process % TASKS);

	return one->object == object && task->state == TASK_LIVE &&
	       task->generation == one->generation;
}

static struct notification *notification_of(uint64_t object)
{
	uint32_t end = process.arena->notified ? NOTIFICATIONS : 0;

	for (uint32_t i = 0; i < end; i++)
		if (holds(&process.arena->notifications[i], object))
			return &process.arena->notifications[i];
	return NULL;
}

static bool somebody_receives(uint64_t object)
{
	const struct waiter *waiter;
	uint32_t at = 0;

	while ((waiter = line_next(object, &at)))
		if (waiter->note == WAITS_TO_RECEIVE)
			return true;
	return false;
}

/* A message came into an empty queue, and nobody waits for it. */
static void notify(struct thread *self, uint64_t object)
{
	struct notification *one = notification_of(object);
	struct posted posted;

	if (!one)
		return;
	posted = (struct posted){
		.signal = one->signal,
		.code = SI_MESGQ,
		.pid = task_at(self->task)->pid,
		.uid = (uint32_t)sys(__NR_getuid),
		.value = one->value,
	};
	one->object = 0;
	if (posted.signal)
		post_to(self, one->process, &posted);
}

static long attempt_queue(struct thread *self, struct line *line)
{
	const struct timespec64 past = { 0, 0 };
	const struct regs *a = &self->regs;
	bool sends = (uint32_t)a->rax == __NR_mq_timedsend;
	bool notifies = sends && process.arena->notified && is_empty(a->rdi);
	long r = sys(a->rax, a->rdi, a->rsi, a->rdx, a->r10, &past);

	line->note = sends ? WAITS_TO_SEND : WAITS_TO_RECEIVE;
	if (r == 0 && notifies && !somebody_receives(line->object))
		notify(self, line->object);
	return r == -ETIMEDOUT ? NOT_READY : r;
}

static long limit_at(uint64_t place, uint64_t *deadline)
{
	struct timespec64 limit;

	*deadline = NEVER;
	if (!place)
		return 0;
	if (copy_in(&limit, place, sizeof(limit)))
		return -EFAULT;
	if (!span_valid(&limit))
		return -EINVAL;
	*deadline = clock_when(CLOCK_REALTIME, &limit);
	return 0;
}

long handle_mq_timed(struct thread *self)
{
	struct line line = { .attempt = attempt_queue, .restarts = true };
	long r;

	if (!turns_matter())
		return limited_queue(self);
	r = limit_at(argument(self, 4), &line.deadline);
	if (r)
		return r;
	line.object = line_file(LINE_QUEUE, argument(self, 0));
	r = line_run(self, &line);
	if (r >= 0) {
		line_changed(self, line.object);
		turn_wake(self->task, PARK_STREAM);
	}
	return r == NOT_READY ? -ETIMEDOUT : r;
}

static void forget(const struct thread *self, uint64_t object)
{
	struct notification *one = notification_of(object);

	if (one && one->process == task_at(self->task)->process)
		one->object = 0;
}

static bool is_used(const struct notification *one)
{
	return one->object && holds(one, one->object);
}

static long remember(const struct thread *self, uint64_t object, const struct signal_event *event)
{
	struct notification *all = process.arena->notifications;
	uint32_t owner = task_at(self->task)->process, i = 0;

	while (i < NOTIFICATIONS && is_used(&all[i]))
		i++;
	if (i == NOTIFICATIONS)
		return -ENOMEM;
	process.arena->notified = 1;
	all[i] = (struct notification){
		.object = object,
		.value = event->value,
		.process = owner,
		.generation = task_at(owner)->generation,
		.signal = event->notify == SIGEV_SIGNAL ? event->signal : 0,
	};
	return 0;
}

/* The kernel judges the call, and knows those that are told by other means than signals. */
long handle_mq_notify(struct thread *self)
{
	uint64_t fd = argument(self, 0), object;
	struct signal_event event, silent;
	long r;

	if (!argument(self, 1)) {
		forget(self, line_file(LINE_QUEUE, fd));
		return pass_on(self);
	}
	if (copy_in(&event, argument(self, 1), sizeof(event)))
		return -EFAULT;
	if (event.notify == SIGEV_SIGNAL && (uint32_t)event.signal > SIGNALS)
		return -EINVAL;
	object = line_file(LINE_QUEUE, fd);
	silent = event;
	silent.notify = event.notify == SIGEV_SIGNAL ? SIGEV_NONE : event.notify;
	r = sys_window(__NR_mq_notify, fd, notification_of(object) ? NULL : &silent);
	if (r == 0 && notification_of(object))
		return -EBUSY;
	if (r || silent.notify != SIGEV_NONE)
		return r;
	sys(__NR_mq_notify, fd, 0);
	return remember(self, object, &event);
}

void message_queues_closing(struct thread *self, uint64_t fd)
{
	if (process.arena->notified && turns_matter())
		forget(self, line_file(LINE_QUEUE, fd));
}

void message_queues_program(struct thread *self)
{
	uint32_t end = process.arena->notified ? NOTIFICATIONS : 0;

	for (uint32_t i = 0; i < end; i++)
		if (process.arena->notifications[i].process == task_at(self->task)->process)
			process.arena->notifications[i].object = 0;
}
