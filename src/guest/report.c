#include "guest/report.h"

#include "guest/calls.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/text.h"

#define NO_TASK (~0u)

static bool logging(void)
{
	return process.arena->config.report & REPORT_LOG;
}

static void increment(uint64_t *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* Tasks. */

static struct task *task_at(uint32_t index)
{
	return &process.arena->tasks[index];
}

/* What a slot becomes with its task's end: its events may have to be read first. */
static uint32_t task_ended(void)
{
	return logging() ? TASK_DEAD : TASK_FREE;
}

/* Slots of tasks that were killed are never given back by them. */
static bool task_lost(struct task *task)
{
	return task->state == TASK_LIVE && task->tid &&
	       sys(__NR_tgkill, task->pid, task->tid, 0) == -ESRCH;
}

static void task_sweep(void)
{
	for (uint32_t i = 0; i < TASKS; i++)
		if (task_lost(task_at(i)))
			__atomic_store_n(&task_at(i)->state, task_ended(), __ATOMIC_RELEASE);
}

static uint32_t task_search(void)
{
	uint32_t start = __atomic_load_n(&process.arena->task_hint, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < TASKS; i++) {
		uint32_t at = (start + i) % TASKS, free = TASK_FREE;
		struct task *task = task_at(at);

		if (!__atomic_compare_exchange_n(&task->state, &free, TASK_LIVE, false,
			    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		__atomic_store_n(&process.arena->task_hint, (at + 1) % TASKS, __ATOMIC_RELAXED);
		task->tid = 0; /* not born yet */
		task->generation++;
		task->children = 0;
		return at;
	}
	return NO_TASK;
}

static uint32_t task_claim(void)
{
	uint32_t index = task_search();

	if (index == NO_TASK) {
		task_sweep();
		index = task_search();
	}
	return index;
}

/* "PARENT.N", or the parent's with a "~" when there is no room. */
static void task_name(char *name, size_t limit, const char *parent, uint32_t ordinal)
{
	char number[24];
	size_t at = strlen(parent);

	text_put_number(text_put(number, at ? "." : ""), ordinal);
	memcpy(name, parent, at + 1);
	if (at && name[at - 1] == '~')
		return;
	if (at + strlen(number) + 2 <= limit)
		text_put(name + at, number);
	else
		text_put(name + at, "~");
}

uint32_t report_child(struct thread *self)
{
	uint32_t index = task_claim();
	struct task *child, *parent;

	if (index == NO_TASK)
		return NO_TASK;
	child = task_at(index);
	child->parent = self->task;
	if (self->task == NO_TASK) {
		task_name(child->name, sizeof(child->name), "", 0);
		return index;
	}
	parent = task_at(self->task);
	task_name(child->name, sizeof(child->name), parent->name,
		__atomic_add_fetch(&parent->children, 1, __ATOMIC_RELAXED));
	return index;
}

void report_unmade(uint32_t task)
{
	if (task != NO_TASK)
		__atomic_store_n(&task_at(task)->state, TASK_FREE, __ATOMIC_RELEASE);
}

/* Events. */

static void ring_map(struct thread *self)
{
	uint64_t address = RING_ADDRESS + (uint64_t)self->task * RING_BYTES;

	self->ring = NULL;
	if (!logging() || self->task == NO_TASK)
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
static struct event *ring_place(struct ring *ring)
{
	uint64_t head = ring->head;

	for (;;) {
		uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
		const int64_t patience[2] = { 0, 10000000 };

		if (head - tail < RING_EVENTS)
			return &ring->events[head % RING_EVENTS];
		ring->waiting = 1;
		wake_reader();
		sys(__NR_futex, &ring->tail, FUTEX_WAIT, (uint32_t)tail, patience);
		ring->waiting = 0;
	}
}

static void ring_push(struct thread *self, const struct event *event)
{
	struct ring *ring = self->ring;
	struct event *place;

	if (!ring)
		return;
	place = ring_place(ring);
	memcpy(place, event, sizeof(*event));
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

/* The caller's identity changes with fork; its place in the arena is new. */
void report_started(struct thread *self, uint32_t index)
{
	struct event event = { .kind = EVENT_START };
	struct task *task;

	self->task = index;
	if (index == NO_TASK)
		return;
	task = task_at(index);
	task->pid = (int32_t)sys(__NR_getpid);
	task->tid = (int32_t)sys(__NR_gettid);
	increment(task->pid == task->tid ? &process.arena->counters.processes
					 : &process.arena->counters.threads);
	ring_map(self);
	event.number = (uint16_t)task->parent;
	ring_push(self, &event);
}

static uint32_t task_of(int32_t pid)
{
	for (uint32_t i = 0; i < TASKS; i++)
		if (task_at(i)->state == TASK_LIVE && task_at(i)->tid == pid)
			return i;
	return NO_TASK;
}

void report_process(struct thread *self, const char *program)
{
	struct event event = { .kind = EVENT_EXEC };
	int32_t pid = (int32_t)sys(__NR_getpid);

	self->task = NO_TASK;
	if (process.arena->config.launch == LAUNCH_PENDING) {
		uint32_t index = task_claim();

		if (index != NO_TASK)
			task_name(task_at(index)->name, sizeof(task_at(index)->name), "", 1);
		report_started(self, index);
		return;
	}
	self->task = task_of(pid);
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

	if (self->task == NO_TASK)
		return;
	if (logging())
		ring_push(self, &event);
	__atomic_store_n(&task_at(self->task)->state, task_ended(), __ATOMIC_RELEASE);
}

void report_code(bool mapped)
{
	struct counters *counters = &process.arena->counters;

	increment(mapped ? &counters->code_mapped : &counters->code_plain);
}
