#include "guest/report.h"

#include "guest/calls.h"
#include "guest/clock.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/turn.h"

static bool logging(void)
{
	return process.arena->config.report & REPORT_LOG;
}

static void increment(uint64_t *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* Events. */

static void ring_map(struct thread *self)
{
	uint64_t address = RING_ADDRESS + (uint64_t)self->task * RING_BYTES;

	self->ring = NULL;
	if (!logging())
		return;
	if (sys(__NR_mmap, address, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		    FD_ARENA, ARENA_RING_OFFSET(self->task)) == (long)address)
		self->ring = (struct ring *)address;
}

static void wake_reader(void)
{
	__atomic_add_fetch(&process.arena->log_wake, 1, __ATOMIC_RELEASE);
	sys(__NR_futex, &process.arena->log_wake, FUTEX_WAKE, 1);
}

/* A place in the ring, once the reader has made room. */
static struct event *ring_place(struct thread *self)
{
	struct ring *ring = self->ring;
	uint64_t head = ring->head;

	for (;;) {
		uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
		const int64_t patience[2] = { 0, 10000000 };

		if (head - tail < RING_EVENTS)
			return &ring->events[head % RING_EVENTS];
		ring->waiting = 1;
		wake_reader();
		turn_hold(self);
		sys(__NR_futex, &ring->tail, FUTEX_WAIT, (uint32_t)tail, patience);
		turn_release(self);
		ring->waiting = 0;
	}
}

static void ring_push(struct thread *self, const struct event *event)
{
	struct ring *ring = self->ring;
	struct event *place;

	if (!ring)
		return;
	place = ring_place(self);
	memcpy(place, event, sizeof(*event));
	place->time = clock_now(self);
	place->seq = __atomic_fetch_add(&process.arena->seq, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
	if (ring->head - ring->tail == RING_EVENTS / 2)
		wake_reader();
}

static void put_text(struct event *event, const char *text)
{
	size_t n = strlen(text);

	event->text_length = (uint32_t)n;
	memcpy(event->text, text, n < sizeof(event->text) ? n : sizeof(event->text));
}

void report_started(struct thread *self)
{
	const struct task *task = task_at(self->task);
	struct event event = { .kind = EVENT_START, .number = (uint16_t)task->parent };

	increment(task->pid == task->tid ? &process.arena->counters.processes
					 : &process.arena->counters.threads);
	ring_map(self);
	ring_push(self, &event);
}

void report_program(struct thread *self, const char *program)
{
	struct event event = { .kind = EVENT_EXEC };

	if (process.arena->config.launch == LAUNCH_PENDING) {
		report_started(self);
		return;
	}
	ring_map(self);
	increment(&process.arena->counters.execs);
	put_text(&event, program);
	ring_push(self, &event);
}

/* Appends one of the program's strings, with its end. False: there is no room for more. */
static bool note_string(struct call_note *note, uint64_t string)
{
	size_t room = sizeof(note->text) - note->text_length;
	long length = string_length(string, room);

	if (length < 0 || copy_in(note->text + note->text_length, string, (size_t)length))
		length = 0;
	if ((size_t)length == room) {
		note->text_length = sizeof(note->text) + 1; /* says that it was cut */
		return false;
	}
	note->text[note->text_length + (size_t)length] = 0;
	note->text_length += (uint32_t)length + 1;
	return note->text_length < sizeof(note->text);
}

static void note_text(struct call_note *note, uint32_t number)
{
	const char *letters = call_letters(number);

	for (int i = 0; i < 6 && letters[i]; i++)
		if (letters[i] == 's' && !note_string(note, note->arguments[i]))
			return;
}

static void push_call(struct thread *self, const struct call_note *note, long result)
{
	struct event event = {
		.kind = EVENT_SYSCALL,
		.number = (uint16_t)note->number,
		.flags = (uint8_t)((self->trap ? EVENT_SLOW : 0) |
				   (self->refused ? EVENT_REFUSED : 0)),
		.text_length = note->text_length,
		.result = result,
	};

	memcpy(event.arguments, note->arguments, sizeof(event.arguments));
	memcpy(event.text, note->text, sizeof(event.text));
	ring_push(self, &event);
}

/* Calls that come back twice. */
static bool makes_tasks(uint32_t number)
{
	return number == __NR_fork || number == __NR_vfork || number == __NR_clone ||
	       number == __NR_clone3;
}

void report_begin(struct thread *self, struct call_note *note, uint32_t number)
{
	const struct regs *r = &self->regs;
	const uint64_t arguments[6] = { r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9 };

	note->number = number;
	memcpy(note->arguments, arguments, sizeof(arguments));
	note->text_length = 0;
	if (logging())
		note_text(note, number);
	if (number == __NR_rt_sigreturn || number == __NR_exit || number == __NR_exit_group)
		report_end(self, note, 0); /* does not come back */
}

void report_end(struct thread *self, const struct call_note *note, long result)
{
	struct counters *counters = &process.arena->counters;
	uint32_t number = note->number;

	if (result == 0 && makes_tasks(number))
		return; /* the parent tells */
	if (number < SYSCALL_LIMIT) {
		increment(self->trap ? &counters->slow[number] : &counters->fast[number]);
		if (self->refused)
			increment(&counters->refused[number]);
	}
	if (logging())
		push_call(self, note, result);
}

void report_insn(struct thread *self, uint32_t kind, uint64_t result, bool slow)
{
	struct counters *counters = &process.arena->counters;
	struct event event = {
		.kind = EVENT_INSN,
		.number = (uint16_t)kind,
		.flags = slow ? EVENT_SLOW : 0,
		.result = (int64_t)result,
	};

	increment(slow ? &counters->insn_slow[kind & 15] : &counters->insn_fast[kind & 15]);
	if (logging())
		ring_push(self, &event);
}

void report_signal(struct thread *self, int signal)
{
	struct event event = { .kind = EVENT_SIGNAL, .number = (uint16_t)signal };

	increment(&process.arena->counters.signals);
	if (logging())
		ring_push(self, &event);
}

void report_exit(struct thread *self, long status)
{
	struct event event = { .kind = EVENT_EXIT, .result = (status & 0xff) << 8 };

	if (logging())
		ring_push(self, &event);
}

void report_code(bool mapped)
{
	struct counters *counters = &process.arena->counters;

	increment(mapped ? &counters->code_mapped : &counters->code_plain);
}

void report_park(void)
{
	increment(&process.arena->counters.parks);
}

void report_wait(void)
{
	increment(&process.arena->counters.waits);
}

void report_retry(void)
{
	increment(&process.arena->counters.retries);
}
