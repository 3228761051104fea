#include "guest/task.h"

#include "arena/identity.h"
#include "guest/clock.h"
#include "guest/delays.h"
#include "guest/facts.h"
#include "guest/glances.h"
#include "guest/keys.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/text.h"
#include "guest/turn.h"

struct task *task_at(uint32_t index)
{
	return &process.arena->tasks[index];
}

/* What a slot becomes with its task's end: its events may have to be read first. */
static uint32_t state_after(void)
{
	return process.arena->config.report & REPORT_LOG ? TASK_DEAD : TASK_FREE;
}

static void release(struct task *task)
{
	keys_task_gone((uint32_t)(task - process.arena->tasks));
	__atomic_store_n(&task->state, state_after(), __ATOMIC_RELEASE);
}

/* One task less in the process; the last one takes the process's slot with it. */
static void leave_process(struct task *task)
{
	struct task *first = task_at(task->process);

	if (__atomic_exchange_n(&task->left, 1, __ATOMIC_ACQ_REL))
		return; /* the first thread ended before the process */
	if (task != first)
		release(task);
	if (__atomic_sub_fetch(&first->users, 1, __ATOMIC_ACQ_REL) == 0)
		release(first);
	/* After that: which slots the next tasks get is not to depend on when it comes to this. */
	turn_quit((uint32_t)(task - process.arena->tasks));
}

/* Slots of tasks that were killed are never given back by them. */
static bool lost(const struct task *task)
{
	return task->state == TASK_LIVE && task->tid &&
	       sys(__NR_tgkill, task->pid, task->tid, 0) == -ESRCH;
}

static void sweep(void)
{
	for (uint32_t i = 0; i < TASKS; i++)
		if (lost(task_at(i)))
			release(task_at(i));
}

static void note_use(uint32_t end)
{
	uint32_t *known = &process.arena->tasks_end, now = *known;

	while (now < end && !__atomic_compare_exchange_n(
				    known, &now, end, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
}

/* Slots that were ever used; what was written there is not to be trusted. */
uint32_t tasks_end(void)
{
	uint32_t end = process.arena->tasks_end;

	return end < TASKS ? end : TASKS;
}

/* Low slots first: fewer pages are touched. */
static uint32_t search(void)
{
	for (uint32_t i = 0; i < TASKS; i++) {
		struct task *task = task_at(i);
		uint32_t free = TASK_FREE;

		if (task->state != TASK_FREE ||
			!__atomic_compare_exchange_n(&task->state, &free, TASK_LIVE, false,
				__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		task->tid = 0; /* not born yet */
		task->generation++;
		task->children = 0;
		task->left = 0;
		task->execs = 0;
		task->made = 0;
		task->clock = task->idle = task->reaped = task->wake = 0;
		task->told[0] = task->told[1] = 0;
		memset(task->itimer, 0, sizeof(task->itimer));
		task->alarmed = 0;
		note_use(i + 1);
		return i;
	}
	return NO_TASK;
}

static uint32_t claim(void)
{
	uint32_t index = search();

	if (index == NO_TASK) {
		sweep();
		index = search();
	}
	return index;
}

/* "PARENT.N", or the parent's with a "~" when there is no room. */
static void set_name(struct task *task, const char *parent, uint32_t ordinal)
{
	char number[24];
	size_t at = strlen(parent);

	text_put_number(text_put(number, at ? "." : ""), ordinal);
	memcpy(task->name, parent, at + 1);
	if (at && task->name[at - 1] == '~')
		return;
	if (at + strlen(number) + 2 <= sizeof(task->name))
		text_put(task->name + at, number);
	else
		text_put(task->name + at, "~");
}

uint32_t task_child(struct thread *self, uint64_t flags)
{
	struct task *parent = task_at(self->task), *child;
	uint32_t index = claim(), ordinal;

	if (index == NO_TASK)
		return NO_TASK;
	child = task_at(index);
	ordinal = __atomic_add_fetch(&parent->children, 1, __ATOMIC_RELAXED);
	child->parent = self->task;
	child->exit_signal = (int32_t)(flags & 0xff);
	child->ended[0] = child->ended[1] = 0;
	child->adopts = 0;
	child->stopping = 0;
	child->shares = task_at(parent->process)->shares;
	child->reaps = task_at(parent->process)->reaps;
	if (!(flags & CLONE_THREAD)) {
		child->parent = parent->process;
		child->parent_generation = task_at(parent->process)->generation;
	}
	child->place = identity_mix(parent->place, ordinal);
	set_name(child, parent->name, ordinal);
	facts_inherit(self, index, flags);
	keys_inherit(self, index, flags);
	if (flags & CLONE_THREAD) {
		child->process = parent->process;
		child->idle = clock_cpu(task_at(child->process));
		__atomic_add_fetch(&task_at(child->process)->users, 1, __ATOMIC_ACQ_REL);
	} else {
		child->process = index;
		child->users = 1;
		child->clock = child->idle = child->told[0] = child->told[1] = *self->clock;
		child->stack = task_at(parent->process)->stack;
	}
	return index;
}

void task_unmade(uint32_t index)
{
	leave_process(task_at(index));
}

static void take(struct thread *self, uint32_t index)
{
	self->task = index;
	self->generation = task_at(index)->generation;
	self->clock = &task_at(task_at(index)->process)->clock;
}

void task_thread_born(const struct thread *self, uint32_t index, int32_t tid)
{
	task_at(index)->pid = task_at(self->task)->pid;
	task_at(index)->tid = tid;
}

void task_born(uint32_t index, int32_t pid)
{
	struct task *task = task_at(index);

	task->pid = task->tid = pid;
	process.arena->pids[(uint32_t)pid % PID_PLACES] = index;
}

void task_started(struct thread *self, uint32_t index)
{
	struct task *task = task_at(index);
	int32_t pid = (int32_t)sys(__NR_getpid);

	take(self, index);
	if (task->process == index) {
		task_born(index, pid);
	} else {
		task->pid = pid;
		task->tid = (int32_t)sys(__NR_gettid);
	}
	delay_here(self);
}

static bool is_process(uint32_t index, int32_t pid)
{
	const struct task *task = task_at(index);

	return task->state == TASK_LIVE && task->pid == pid && task->process == index;
}

static uint32_t find_process(int32_t pid)
{
	uint32_t index = process.arena->pids[(uint32_t)pid % PID_PLACES] % TASKS;

	if (is_process(index, pid))
		return index;
	for (index = 0; index < tasks_end(); index++)
		if (is_process(index, pid))
			return index;
	return NO_TASK;
}

static uint32_t index_of(int32_t pid)
{
	uint32_t index = find_process(pid);

	if (index == NO_TASK)
		fatal("a process has no place in the arena: something wrote there", "");
	return index;
}

uint32_t task_find(const struct thread *self, int32_t tid)
{
	uint32_t index;

	if (tid == 0 || tid == task_at(self->task)->tid)
		return self->task;
	index = find_process(tid);
	for (uint32_t i = 0; index == NO_TASK && i < tasks_end(); i++)
		if (task_at(i)->state == TASK_LIVE && task_at(i)->tid == tid)
			index = i;
	return index;
}

/* Threads that an exec, or the end of the process, took along. */
static void forget_others(struct task *self)
{
	const struct task *first = task_at(self->process);

	for (uint32_t i = 0; first->users > 1 && i < tasks_end(); i++) {
		struct task *task = task_at(i);

		if (task != self && task->state == TASK_LIVE && task->process == self->process)
			leave_process(task);
	}
}

void task_program(struct thread *self)
{
	uint32_t index;

	if (process.arena->config.launch == LAUNCH_PENDING) {
		index = claim();
		task_at(index)->process = index;
		task_at(index)->users = 1;
		task_at(index)->parent = NO_TASK;
		set_name(task_at(index), "", 1);
		facts_first(index);
		task_started(self, index);
		turn_enter(self, index, false);
		return;
	}
	index = index_of((int32_t)sys(__NR_getpid));
	take(self, index);
	task_at(index)->reaps &= REAPS_IGNORED;
	task_at(index)->shares = 0;
	task_at(index)->execs++;
	turn_succeed(self, index);
	/* Another thread executed it, and has the first one's number now. */
	if (__atomic_exchange_n(&task_at(index)->left, 0, __ATOMIC_ACQ_REL))
		__atomic_add_fetch(&task_at(index)->users, 1, __ATOMIC_ACQ_REL);
	if (task_at(index)->users > 1)
		forget_others(task_at(index));
}

void task_ended(struct thread *self, bool all)
{
	struct task *task = task_at(self->task);
	struct task *first = task_at(task->process);

	if (all || first->users == 1) {
		forget_others(task);
	}
	leave_process(task);
}

bool task_ends(uint32_t index, uint32_t generation)
{
	struct task *first = task_at(index);

	return __atomic_exchange_n(&first->over, generation, __ATOMIC_ACQ_REL) != generation &&
	       __atomic_load_n(&first->generation, __ATOMIC_ACQUIRE) == generation;
}

static bool is_over(const struct task *first)
{
	return __atomic_load_n(&first->over, __ATOMIC_ACQUIRE) == first->generation;
}

bool task_is_over(const struct thread *self)
{
	return is_over(task_at(task_at(self->task)->process)) || is_over(task_at(COMMAND_TASK));
}

bool task_is_replaced(const struct thread *self)
{
	return __atomic_load_n(&task_at(self->task)->generation, __ATOMIC_ACQUIRE) !=
	       self->generation;
}

bool task_goes_on(struct thread *self)
{
	const struct task *task = task_at(self->task);
	struct task *first = task_at(task->process);

	if (is_over(task_at(COMMAND_TASK)) && first != task_at(COMMAND_TASK))
		return false;
	if (task->state != TASK_LIVE || task->tid != (int32_t)sys(__NR_gettid))
		return false; /* its slot was given back: that is done when there is no doubt */
	__atomic_store_n(&first->over, first->generation - 1, __ATOMIC_RELEASE);
	return true;
}

/* The beginning of a file that the kernel has of the task; gives its length, or an error. */
static long read_of(const struct task *task, const char *file, char *text, size_t size)
{
	char path[64];
	char *at = text_put(text_put_number(path, task->pid), "/task/");
	long fd, bytes;

	text_put(text_put_number(at, task->tid), file);
	if (!glance_begin(thread_self()))
		return -EAGAIN;
	fd = bytes = sys(__NR_openat, FD_PROC, path, O_RDONLY | O_CLOEXEC);
	if (!failed(fd)) {
		bytes = sys(__NR_read, fd, text, size);
		bytes = failed(bytes) ? 0 : bytes;
		sys(__NR_close, fd);
	}
	glance_end(thread_self());
	return bytes;
}

/* The last of three numbers. */
uint64_t task_slices(uint32_t index)
{
	char text[72] = "";
	uint64_t number = 0;

	read_of(task_at(index), "/schedstat", text, sizeof(text) - 1);
	for (const char *at = text; *at && *at != '\n'; at++)
		number = *at == ' ' ? 0 : number * 10 + (uint64_t)(*at - '0');
	return number;
}

/* Names of the kernel's functions in which one waits for such a file system. */
static bool is_of_fuse(const char *function)
{
	static const char *const beginnings[] = { "request_wait_answer", "fuse_", "__fuse_" };

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (!memcmp(function, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

enum sleep task_sleep(uint32_t index)
{
	char function[64] = "";

	read_of(task_at(index), "/wchan", function, sizeof(function) - 1);
	if (!function[0] || function[0] == '0')
		return SLEEP_UNTOLD;
	return is_of_fuse(function) ? SLEEP_FOR_FILES : SLEEP_FOR_OTHERS;
}

char task_state(uint32_t index)
{
	const struct task *task = task_at(index);
	char text[72];
	long bytes;

	if (!task->tid) /* about to be born, unless the process ended before */
		return task_at(task->process)->over == task_at(task->process)->generation ? 0 : 'R';
	bytes = read_of(task, "/stat", text, 64);
	if (failed(bytes))
		return bytes == -ENOENT || bytes == -ESRCH ? 0 : 'R';
	while (bytes > 0 && text[bytes - 1] != ')')
		bytes--;
	return bytes > 0 ? text[bytes + 1] : 0;
}

bool task_is_traced(uint32_t index)
{
	static const char key[] = "\nTracerPid:\t";
	char text[512];
	long bytes = read_of(task_at(index), "/status", text, sizeof(text));

	for (long i = 0; i + (long)sizeof(key) <= bytes; i++)
		if (memcmp(text + i, key, sizeof(key) - 1) == 0)
			return text[i + (long)sizeof(key) - 1] != '0';
	return false;
}

void task_buried(uint32_t index)
{
	struct task *first = task_at(index);

	forget_others(first);
	first->users = 0;
	release(first);
	turn_quit(index);
}

/* A process that was killed has left its slots as they were. */
static void forget_killed(int32_t pid)
{
	uint32_t index = process.arena->pids[(uint32_t)pid % PID_PLACES] % TASKS;
	struct task *first = task_at(index);

	if (!is_process(index, pid))
		return;
	for (uint32_t i = 0; first->users > 1 && i < tasks_end(); i++)
		if (task_at(i)->state == TASK_LIVE && task_at(i)->process == index && i != index)
			leave_process(task_at(i));
	leave_process(first);
}

uint64_t task_joined(struct thread *self, long pid)
{
	struct ended *ended = &process.arena->ended[(uint32_t)pid % PID_PLACES];
	struct task *own = clock_owner(self);

	if (__atomic_load_n(&ended->pid, __ATOMIC_ACQUIRE) != pid) {
		forget_killed((int32_t)pid);
		return 0;
	}
	ended->pid = 0; /* the next process of this number may be killed */
	clock_join(self, ended->clock);
	__atomic_add_fetch(&own->reaped, ended->cpu, __ATOMIC_RELAXED);
	return ended->cpu;
}

struct task *task_find_process(int32_t pid)
{
	uint32_t index = find_process(pid);

	return index == NO_TASK ? NULL : task_at(index);
}

struct task *task_find_thread(const struct thread *self, int32_t tid)
{
	uint32_t owner = task_at(self->task)->process;

	for (uint32_t i = 0; i < tasks_end(); i++)
		if (task_at(i)->state == TASK_LIVE && task_at(i)->process == owner &&
			task_at(i)->tid == tid)
			return task_at(i);
	return NULL;
}
