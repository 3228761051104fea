#include "guest/children.h"

#include "guest/births.h"
#include "guest/clock.h"
#include "guest/in_line.h"
#include "guest/posts.h"
#include "guest/race.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/turn.h"

#define INIT_PID 1

static struct ended *ended_at(int32_t pid)
{
	return &process.arena->ended[(uint32_t)pid % PID_PLACES];
}

/* The process's parent, as long as that lives: a slot of another generation is somebody else's. */
static uint32_t parent_of(const struct task *first)
{
	uint32_t index = first->parent;

	if (index >= TASKS || task_at(index)->state != TASK_LIVE ||
		task_at(index)->generation != first->parent_generation)
		return NO_TASK;
	return index;
}

int32_t child_parent(const struct thread *self)
{
	uint32_t parent = parent_of(clock_owner(self));

	return parent == NO_TASK ? INIT_PID : task_at(parent)->pid;
}

/* Who gets the children of a process that ends: the nearest of its forebears that wants them. */
static uint32_t heir_of(const struct task *first)
{
	uint32_t index = parent_of(first);

	while (index != NO_TASK && !task_at(index)->adopts)
		index = parent_of(task_at(index));
	return index;
}

bool child_is_over(int32_t pid)
{
	const struct task *task = task_find_process(pid);

	return ended_at(pid)->pid == pid && (!task || task->over == task->generation);
}

static void append(struct task *parent, int32_t pid)
{
	for (int32_t known = parent->ended[0]; known; known = ended_at(known)->next)
		if (known == pid)
			return;
	ended_at(pid)->next = 0;
	if (parent->ended[0])
		ended_at(parent->ended[1])->next = pid;
	else
		parent->ended[0] = pid;
	parent->ended[1] = pid;
}

void child_stopped(uint32_t from, uint32_t index, int signal)
{
	const struct task *first = task_at(task_at(index)->process);
	uint32_t parent = parent_of(first);

	if (parent == NO_TASK)
		return;
	turn_wake_process(from, PARK_CHILD, parent);
	post_child_change(from, parent, first->pid, signal);
}

/* Is this child meant by `which`, as waitpid has it? */
static bool is_meant(int32_t pid, long which)
{
	if (which == -1 || which == pid)
		return true;
	if (which > 0)
		return false;
	return sys(__NR_getpgid, pid) == (which ? -which : sys(__NR_getpgid, 0));
}

/* It is about to: whoever waits for that has the kernel say so. */
void child_stops(struct thread *self, int signal)
{
	clock_owner(self)->stopping = 1;
	child_stopped(self->task, self->task, signal);
}

struct stopping {
	uint32_t parent;
	long which;
};

static bool is_stopping(uint32_t index, const void *which)
{
	const struct stopping *stopping = which;
	const struct task *task = task_at(index);

	return task->state == TASK_LIVE && task->process == index && task->stopping &&
	       parent_of(task) == stopping->parent && is_meant(task->pid, stopping->which);
}

int32_t child_stopping(const struct thread *self, long which)
{
	const struct stopping stopping = { task_at(self->task)->process, which };
	struct births walk = { .filter = is_stopping, .which = &stopping };
	uint32_t index = births_next(&walk);

	if (index == NO_TASK)
		return 0;
	task_at(index)->stopping = 0;
	return task_at(index)->pid;
}

void child_is_program(uint32_t index)
{
	struct task *task = task_at(index);
	uint32_t bearer = task->bearer;

	task->bearer = 0;
	if (bearer && bearer <= TASKS)
		turn_wake_one(index, PARK_BIRTH, bearer - 1);
}

static void tell_parent(uint32_t from, const struct task *first)
{
	uint32_t parent = parent_of(first);

	child_is_program((uint32_t)(first - process.arena->tasks));
	if (parent == NO_TASK)
		return;
	append(task_at(parent), first->pid);
	turn_wake_process(from, PARK_CHILD, parent);
	if (first->exit_signal)
		post_child(from, parent, first->exit_signal, first->pid);
}

static void leave_children(struct task *first)
{
	uint32_t index = (uint32_t)(first - process.arena->tasks), heir = heir_of(first);
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++) {
		struct task *task = task_at(i);

		if (task->state != TASK_LIVE || task->process != i || parent_of(task) != index)
			continue;
		task->parent = heir;
		task->parent_generation = heir == NO_TASK ? 0 : task_at(heir)->generation;
	}
	while (heir != NO_TASK && first->ended[0]) {
		int32_t pid = first->ended[0];

		first->ended[0] = ended_at(pid)->next;
		append(task_at(heir), pid);
	}
}

void child_ends(struct thread *self)
{
	struct task *first = clock_owner(self);
	struct ended *ended = ended_at(first->pid);

	ended->clock = clock_now(self);
	ended->cpu = clock_cpu(first) + first->reaped;
	ended->signal = first->exit_signal;
	__atomic_store_n(&ended->pid, first->pid, __ATOMIC_RELEASE);
	if (turns_matter()) {
		leave_children(first);
		tell_parent(self->task, first);
		turn_wake(self->task, PARK_STREAM);
		lines_changed(self->task);
	}
}

static bool lives(uint32_t index)
{
	char state = task_state(index);

	return state && state != 'Z' && state != 'X';
}

/* When another thread than the first executes a program it takes the first one's place: so that one
 * is asked last. */
bool child_lives(uint32_t index)
{
	uint32_t end = task_at(index)->users > 1 ? tasks_end() : 0;

	for (uint32_t i = 0; i < end; i++)
		if (i != index && task_at(i)->state == TASK_LIVE && task_at(i)->process == index &&
			lives(i))
			return true;
	return lives(index);
}

/* Its time and what it has computed: who died by itself has come as far as its clock says, and who
 * was killed as far as it told. */
static void note_death(uint32_t from, const struct task *first)
{
	bool killed = task_at(task_at(from)->process) != first;
	const uint64_t own[2] = { first->clock, first->idle }, *times = killed ? first->told : own;
	uint64_t now = task_at(task_at(from)->process)->clock;
	struct ended *ended = ended_at(first->pid);

	ended->clock = times[0] > now ? times[0] : now;
	ended->cpu = (times[0] > times[1] ? times[0] - times[1] : 0) + first->reaped;
	ended->signal = first->exit_signal;
	ended->pid = first->pid;
}

void child_died(uint32_t from, uint32_t index, uint32_t generation)
{
	struct task *task = task_at(index), *first = task_at(task->process);

	if (task->generation != generation)
		return; /* it has been seen to die already */
	if (task->state != TASK_LIVE || task->pid != first->pid) {
		turn_quit(index); /* its process is gone, and its place perhaps another's by now */
		return;
	}
	if (task != first && lives(task->process))
		return; /* it executes a program, and has the first one's number by now */
	if (task != first ? first->users > 1 : child_lives(index)) {
		turn_quit(index);
		return;
	}
	if (!task_ends(task->process, first->generation)) {
		turn_quit(index); /* it had said so, and did not come to leave the race */
		return;
	}
	note_death(from, first);
	leave_children(first);
	tell_parent(from, first);
	turn_wake(from, PARK_STREAM);
	lines_changed(from);
	task_buried(task->process);
}

/*
 * Who kills another does so in its turn, and tells of it before the next one has the turn: until
 * then, it is not for others to find. A death for which nobody in the race is to blame came from
 * outside, as from the kernel when memory is short.
 */
static bool is_untold(uint32_t index, uint32_t generation)
{
	static struct {
		uint64_t quantum;
		uint32_t index, generation, first;
	} seen = { .index = NO_TASK };
	uint32_t first = race_first();
	const struct domain *domain = first == NO_TASK ? NULL : domain_of(first);
	uint64_t quantum = domain ? domain->quantum : TURN_NEVER;

	if (quantum == TURN_NEVER)
		return true;
	if (seen.index == index && seen.generation == generation)
		return seen.first != first || seen.quantum != quantum;
	seen.index = index;
	seen.generation = generation;
	seen.first = first;
	seen.quantum = quantum;
	return false;
}

static bool died_parked(uint32_t index, uint32_t generation)
{
	return turn_of(index)->parked && !child_lives(index) &&
	       !child_is_over(task_at(index)->pid) && is_untold(index, generation);
}

void children_look(struct thread *self, bool at_parked)
{
	uint32_t own = task_at(self->task)->process, end = tasks_end();

	for (uint32_t i = 0; i < end; i++) {
		const struct task *task = task_at(i);
		uint32_t generation = task->generation;

		if (task->state != TASK_LIVE || task->process != i || parent_of(task) != own)
			continue;
		if (turn_is_away(i) ? !lives(i) : at_parked && died_parked(i, generation))
			child_died(i, i, generation);
	}
}

/* As the kernel tells children made by clone from those made by fork. */
static bool is_kind(int32_t signal, uint32_t options)
{
	return (options & WAIT_ALL) || (signal != SIGCHLD) == ((options & WAIT_CLONES) != 0);
}

int32_t child_ended(const struct thread *self, long which, uint32_t options)
{
	const struct task *own = clock_owner(self);

	for (int32_t pid = own->ended[0]; pid; pid = ended_at(pid)->next)
		if (is_kind(ended_at(pid)->signal, options) && is_meant(pid, which))
			return pid;
	return 0;
}

bool child_exists(const struct thread *self, long which, uint32_t options)
{
	uint32_t own = task_at(self->task)->process, end = tasks_end();

	for (uint32_t i = 0; i < end; i++) {
		const struct task *task = task_at(i);

		if (task->state == TASK_LIVE && task->process == i && parent_of(task) == own &&
			is_kind(task->exit_signal, options) && is_meant(task->pid, which))
			return true;
	}
	return child_ended(self, which, options);
}

void child_forget(struct thread *self, int32_t gone)
{
	struct task *own = clock_owner(self);
	int32_t *link = &own->ended[0], last = 0;

	for (; *link; link = &ended_at(*link)->next) {
		if (*link == gone) {
			*link = ended_at(gone)->next;
			if (!*link)
				own->ended[1] = last;
			return;
		}
		last = *link;
	}
}

void children_reap(struct thread *self)
{
	struct task *own = clock_owner(self);

	if (!own->reaps || !turns_matter())
		return;
	while (own->ended[0]) {
		int32_t pid = own->ended[0];

		turn_hold(self);
		sys(__NR_wait4, pid, 0, WAIT_ALL, 0);
		turn_release(self);
		child_forget(self, pid);
	}
}
