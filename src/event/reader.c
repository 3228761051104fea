#include "event/reader.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event/line.h"
#include "event/order.h"

#define MILLISECOND 1000000ll /* in nanoseconds */
#define BUSY_WAIT   (2 * MILLISECOND)
#define IDLE_WAIT   (10 * MILLISECOND)
/* How long a missing number holds back those behind it: a task takes its number just before it
 * writes the event, so it is missing for longer only when the task was killed in between. */
#define GAP_WAIT (250 * MILLISECOND)
/* Slots are used from the lowest up: most rounds look at no more than this many unused ones. */
#define SLACK		 256
#define FULL_SCAN_ROUNDS 64

struct event_reader {
	struct arena *arena;
	char *rings;
	FILE *log;
	pthread_t thread;
	atomic_bool stop;
	unsigned round;
	unsigned used; /* slots above were never seen in use */
	struct order order;
	uint64_t gap_next; /* the number that was missing when last looked, */
	int64_t gap_since; /* and since when */
	uint64_t tails[TASKS];
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 * MILLISECOND + t.tv_nsec;
}

static long futex(void *word, int operation, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static void write_line(
	struct event_reader *r, const struct line_task *task, const struct event *event)
{
	char line[LINE_BYTES];

	fwrite_unlocked(line, 1, line_format(line, task, event), r->log);
}

static void write_pending(struct event_reader *r, struct pending *pending)
{
	write_line(r, &pending->task, &pending->event);
	free(pending);
}

/* Writes whatever is due. */
static void flush_due(struct event_reader *r)
{
	struct pending *pending;

	while ((pending = order_take(&r->order, false)))
		write_pending(r, pending);
}

/* Writes the first event although others are missing before it, and what is due then. */
static void skip_gap(struct event_reader *r)
{
	struct pending *pending = order_take(&r->order, true);

	if (pending)
		write_pending(r, pending);
	flush_due(r);
}

static void accept_event(
	struct event_reader *r, const struct line_task *task, const struct event *event)
{
	/* Nearly all events come in order, and need no place to wait; one that was given up goes at
	 * once. */
	if (event->seq <= r->order.next) {
		write_line(r, task, event);
		r->order.next += event->seq == r->order.next;
		flush_due(r);
		return;
	}
	if (order_is_full(&r->order))
		skip_gap(r);
	if (!order_put(&r->order, event, task))
		write_line(r, task, event);
}

static struct ring *ring_at(const struct event_reader *r, unsigned index)
{
	return (struct ring *)(r->rings + (size_t)index * RING_BYTES);
}

static struct line_task task_copy(const struct task *shared)
{
	struct line_task task = { .pid = shared->pid, .tid = shared->tid };

	memcpy(task.name, shared->name, sizeof(task.name));
	return task;
}

static void publish_tail(struct ring *ring, uint64_t tail)
{
	/* In one order with the guest's store to `waiting` and its look at the tail. */
	__atomic_store_n(&ring->tail, tail, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->waiting, __ATOMIC_SEQ_CST))
		futex(&ring->tail, FUTEX_WAKE, INT32_MAX, NULL);
}

/* Gives how many events there were. */
static unsigned drain(struct event_reader *r, unsigned index)
{
	struct ring *ring = ring_at(r, index);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE), tail = r->tails[index];
	uint64_t count = head - tail;
	struct line_task task;

	if (count == 0)
		return 0;
	task = task_copy(&r->arena->tasks[index]);
	if (count > RING_EVENTS) {
		fprintf(r->log, "# the ring of task slot %u is damaged: events are lost\n", index);
		tail = head;
	}
	for (; tail != head; tail++) {
		struct event event = ring->events[tail % RING_EVENTS];

		/* It is the copy that is looked at from here on. */
		__asm__ volatile("" ::: "memory");
		accept_event(r, &task, &event);
	}
	r->tails[index] = head;
	publish_tail(ring, head);
	return (unsigned)count;
}

/* A dead task's slot is free as soon as its last event is out. Low slots are to be used first,
 * since every slot that was ever used costs memory for its ring, and time in each round. */
static void free_slot(struct arena *arena, unsigned index)
{
	uint32_t dead = TASK_DEAD;

	__atomic_compare_exchange_n(&arena->tasks[index].state, &dead, TASK_FREE, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static unsigned drain_slots(struct event_reader *r, unsigned end)
{
	unsigned count = 0;

	for (unsigned i = 0; i < end; i++) {
		struct task *task = &r->arena->tasks[i];
		uint32_t state = __atomic_load_n(&task->state, __ATOMIC_ACQUIRE);

		if (state != TASK_LIVE && state != TASK_DEAD)
			continue;
		if (i >= r->used)
			r->used = i + 1;
		count += drain(r, i);
		if (state == TASK_DEAD)
			free_slot(r->arena, i);
	}
	return count;
}

static unsigned drain_round(struct event_reader *r)
{
	/* What is missing may be in a slot that was never looked at. */
	bool all = r->order.count > 0 || r->round++ % FULL_SCAN_ROUNDS == 0;
	unsigned end = r->used + SLACK;

	return drain_slots(r, all || end > TASKS ? TASKS : end);
}

static void mind_gap(struct event_reader *r)
{
	if (r->order.count == 0)
		return;
	if (r->gap_next != r->order.next) {
		r->gap_next = r->order.next;
		r->gap_since = now();
	} else if (now() - r->gap_since > GAP_WAIT) {
		skip_gap(r);
	}
}

static void *read_all(void *argument)
{
	struct event_reader *r = argument;

	while (!atomic_load(&r->stop)) {
		uint32_t wake = __atomic_load_n(&r->arena->log_wake, __ATOMIC_ACQUIRE);
		unsigned count = drain_round(r);
		struct timespec wait = { .tv_nsec =
						 count || r->order.count ? BUSY_WAIT : IDLE_WAIT };

		mind_gap(r);
		if (count == 0)
			fflush_unlocked(r->log);
		futex(&r->arena->log_wake, FUTEX_WAIT, wake, &wait);
	}
	drain_slots(r, TASKS);
	while (r->order.count)
		skip_gap(r);
	fflush_unlocked(r->log);
	return NULL;
}

/* Signals are for the supervisor's other threads. */
static int start_thread(struct event_reader *r)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&r->thread, NULL, read_all, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void reader_free(struct event_reader *r)
{
	if (r->rings != MAP_FAILED)
		munmap(r->rings, (size_t)TASKS * RING_BYTES);
	order_free(&r->order);
	free(r);
}

struct event_reader *event_reader_start(
	struct arena *arena, int arena_fd, FILE *log, struct error *err)
{
	struct event_reader *r = calloc(1, sizeof(*r));
	int error;

	if (!r) {
		error_set(err, ENOMEM, "cannot read events");
		return NULL;
	}
	r->arena = arena;
	r->log = log;
	r->gap_next = UINT64_MAX;
	r->order.next = __atomic_load_n(&arena->seq, __ATOMIC_RELAXED);
	r->rings = mmap(NULL, (size_t)TASKS * RING_BYTES, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_NORESERVE, arena_fd, ARENA_RING_OFFSET(0));
	error = r->rings == MAP_FAILED ? errno : start_thread(r);
	if (error) {
		error_set(err, error, "cannot read events");
		reader_free(r);
		return NULL;
	}
	return r;
}

void event_reader_stop(struct event_reader *reader)
{
	if (!reader)
		return;
	atomic_store(&reader->stop, true);
	__atomic_add_fetch(&reader->arena->log_wake, 1, __ATOMIC_RELEASE);
	futex(&reader->arena->log_wake, FUTEX_WAKE, INT32_MAX, NULL);
	pthread_join(reader->thread, NULL);
	reader_free(reader);
}
