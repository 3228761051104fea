#include "guest/holders.h"

#include "guest/calls.h"
#include "guest/children.h"
#include "guest/fifos.h"
#include "guest/race.h"
#include "guest/spin.h"
#include "guest/sys.h"
#include "guest/text.h"
#include "guest/turn.h"

#define PATIENCE       10000000 /* ns of real time after which a sleeper looks at others */
#define WAITERS	       2	/* doublings of it for who waits for its turn */
#define PARKED	       5	/* and for who is parked: nobody waits for it */
#define RARELY	       64	/* times that one among threads waits before it looks */
#define CHILDREN_TIMES 32	/* and any before it looks at children that wait themselves */
#define FREE_TIMES     2  /* looks at a thread that runs freely, and may wait for another of them */
#define UNTOLD_TIMES   20 /* looks at one that sleeps, and the kernel does not tell what for */
#define DEADLOCK_TIMES 3  /* looks, with nobody in the race, before a deadlock is one */
#define LAST_LOOKS     2  /* times that who waits for a stream looks again before */

static void pass_over(struct thread *self, uint32_t index)
{
	gate_close(self);
	if (race_is_first(index) && !turn_of(index)->parked) {
		__atomic_store_n(&turn_of(index)->away, 1, __ATOMIC_SEQ_CST);
		race_hand_over(self, domain_of(index));
	}
	gate_open(self);
}

/*
 * The first to sleep in the kernel in its own turn may open a FIFO of the initial files: as files
 * are not taken for FIFOs before there is one (fifos.c), it is interrupted, and makes its call
 * again.
 */
static bool may_open_fifo(uint32_t index)
{
	if (process.arena->fifos)
		return false;
	fifo_made();
	spin_ask(task_at(index)->pid, task_at(index)->tid);
	return true;
}

/* Threads that are let run freely may wait for each other in memory. */
static bool is_free_sibling(const struct thread *self, uint32_t index)
{
	return !threads_matter() && index != self->task &&
	       task_at(index)->process == task_at(self->task)->process;
}

/* It sleeps for a reason that is known. */
static bool naps(uint32_t index)
{
	return __atomic_load_n(&turn_of(index)->asleep, __ATOMIC_SEQ_CST) ||
	       __atomic_load_n(&turn_of(index)->busy, __ATOMIC_SEQ_CST);
}

/*
 * A task that is about to sleep is called asleep already, and nobody says what for; so is one that
 * sleeps, where the kernel tells nobody. The latter has not run since, however often one looks.
 */
static bool sleeps_untold(uint32_t index, uint64_t slices)
{
	static struct {
		uint64_t slices;
		uint32_t index, looks;
	} last;

	if (last.index != index || last.slices != slices)
		last.looks = 0;
	last.index = index;
	last.slices = slices;
	return ++last.looks >= UNTOLD_TIMES;
}

/* It was asleep. Who sleeps for a file system that another process makes is not passed over: that
 * answers without the container's doing. What it sleeps for counts if it still does, and has not
 * run since. */
static bool sleeps_for_others(uint32_t index)
{
	uint64_t slices = task_slices(index);
	enum sleep sleep = task_sleep(index);

	if (sleep == SLEEP_FOR_FILES || task_state(index) != 'S' || task_slices(index) != slices)
		return false;
	return sleep == SLEEP_FOR_OTHERS || sleeps_untold(index, slices);
}

/* The kernel's word that a task sleeps is of a moment that is over when it is read: it counts when
 * the task had no reason to before, has none afterwards, and had none in between. One that a tracer
 * has stopped may be anywhere; who does that from outside is to change nothing. */
static void look_at_first(struct thread *self, uint32_t first, uint32_t times)
{
	uint32_t generation = task_at(first)->generation;
	const struct turn *turn = turn_of(first);
	uint32_t count = __atomic_load_n(&turn->naps, __ATOMIC_SEQ_CST);
	bool known = naps(first);
	char state;

	if (first == self->task)
		return;
	state = task_state(first);
	known |= state == 'S' && !sleeps_for_others(first);
	known |= naps(first) || __atomic_load_n(&turn->naps, __ATOMIC_SEQ_CST) != count;
	if (!race_is_first(first))
		return;
	if (state == 0 || state == 'Z' || state == 'X')
		child_died(first, first, generation);
	else if (!turn->parked &&
		 ((state == 'S' && !known) || (state == 't' && task_is_traced(first)) ||
			 (times > FREE_TIMES && is_free_sibling(self, first))) &&
		 !may_open_fifo(first))
		pass_over(self, first);
}

/* [gate] Is every task parked for good? Nothing will ever happen again, as nothing comes from
 * outside, unless there are real alarms. */
static bool is_deadlock(void)
{
	uint32_t end = process.relax & RELAX_TIME ? 0 : tasks_end();
	bool all = end > 0;

	for (uint32_t i = 0; i < end && all; i++)
		all = !turn_of(i)->domain ||
		      (turn_of(i)->parked && !turn_of(i)->busy &&
			      turn_of(i)->deadline == TURN_NEVER && !turn_of(i)->stopped);
	return all;
}

/* [gate] Does anybody wait, among others, for the end of an output? That comes from outside. */
static bool awaits_outside(void)
{
	uint32_t end = tasks_end();
	bool any = false;

	for (uint32_t i = 0; i < end && !any; i++)
		any = turn_of(i)->domain && (turn_of(i)->parked & PARK_OUTPUT);
	return any;
}

static const char *what_for(uint32_t parked)
{
	return parked & PARK_CHILD    ? "a child"
	       : parked & PARK_STREAM ? "a pipe or socket"
	       : parked & PARK_LINE   ? "a lock, semaphore, queue or FIFO"
	       : parked & PARK_FUTEX  ? "a lock or another thread (futex)"
	       : parked & PARK_SPIN   ? "a change of memory, spinning"
	       : parked & PARK_BIRTH  ? "its vfork's child"
				      : "a signal";
}

/* "12 in read(3) for a pipe or socket" */
static char *put_waiter(char *at, uint32_t index)
{
	const struct turn *turn = turn_of(index);

	at = text_put_number(at, task_at(index)->tid);
	if (!(turn->parked & PARK_SPIN))
		at = text_put(text_put(at, " in "), call_name(turn->call));
	if (turn->parked & PARK_STREAM) {
		at = text_put_number(text_put(at, "("), (int32_t)turn->object);
		at = text_put(at, ")");
	}
	return text_put(text_put(at, " for "), what_for(turn->parked));
}

#define WAITER_BYTES  96

#define WAITERS_BYTES 400

/* [gate] Who waits for what. */
static void describe_waiters(char text[WAITERS_BYTES])
{
	uint32_t end = tasks_end(), untold = 0;
	char *at = text;

	for (uint32_t i = 0; i < end; i++) {
		if (!turn_of(i)->domain)
			continue;
		if (at > text + WAITERS_BYTES - WAITER_BYTES - 32) {
			untold++;
			continue;
		}
		at = put_waiter(text_put(at, at > text ? ", " : ""), i);
	}
	if (untold)
		text_put(text_put_number(text_put(at, " and "), (int32_t)untold), " more");
}

/* The kernel may have been late with what was put into a stream: those who wait for one look again,
 * all of them, before somebody else comes to count. */
static void look_again_or_tell(struct thread *self)
{
	struct arena *arena = process.arena;
	char text[WAITERS_BYTES];
	bool is_certain;

	gate_close(self);
	if (arena->last_looker || !is_deadlock()) {
		gate_open(self);
		return;
	}
	arena->last_looker = 1;
	is_certain = arena->last_looks++ >= LAST_LOOKS && !awaits_outside();
	if (is_certain)
		describe_waiters(text);
	gate_open(self);
	if (is_certain)
		fatal("deadlock: all tasks wait: %s", text);
	turn_wake(self->task, PARK_STREAM);
	__atomic_store_n(&arena->last_looker, 0, __ATOMIC_SEQ_CST);
}

static int64_t patience_of(const struct thread *self, uint32_t times)
{
	uint32_t parked = turn_of(self->task)->parked;
	uint32_t most = parked & PARK_CHILD ? 0 : parked ? PARKED : WAITERS;

	return (int64_t)PATIENCE << (times < most ? times : most);
}

/* Who runs while this one waits: of its own domain, or else of the first one; or NO_TASK. */
static uint32_t runner(const struct thread *self)
{
	const struct domain *domain = domain_of(self->task);
	uint32_t holder = domain && domain->holder ? domain->holder - 1 : NO_TASK;

	if (holder == NO_TASK || holder == self->task || turn_of(holder)->parked)
		holder = race_first();
	return holder == NO_TASK || holder == self->task || turn_of(holder)->parked ? NO_TASK
										    : holder;
}

/* How long to sleep at most: the one that runs may spin, and is asked now and then. Most sleeps are
 * over before. */
static int64_t sooner(const struct thread *self, int64_t patience, uint32_t times)
{
	uint32_t index = threads_matter() ? runner(self) : NO_TASK;
	uint64_t until = index == NO_TASK ? NEVER
			 : times	  ? spin_watch(index)
					  : spin_patience(index);

	return until < (uint64_t)patience ? (int64_t)until : patience;
}

/* All threads of the process but one may wait like this, and a look takes time and keeps who runs
 * from its files (glances.h). So that is done rarely, in case that nobody else looks. */
static bool may_look(const struct thread *self, uint32_t times)
{
	bool shares = task_at(task_at(self->task)->process)->users > 1;

	return !shares || race_runs(self->task) || times % RARELY == RARELY - 1;
}

bool holders_sleep(struct thread *self, uint32_t word, uint32_t times)
{
	const int64_t patience[2] = { 0, sooner(self, patience_of(self, times), times) };
	long r = sys(__NR_futex, &turn_of(self->task)->word, FUTEX_WAIT, word, patience);
	uint32_t first = race_first();
	bool looks;

	if (r != -ETIMEDOUT)
		return true;
	looks = may_look(self, times);
	if (looks && turn_of(self->task)->parked)
		children_look(
			self, first == NO_TASK || times % CHILDREN_TIMES == CHILDREN_TIMES - 1);
	if (looks && first != NO_TASK)
		look_at_first(self, first, times);
	else if (first == NO_TASK && times >= DEADLOCK_TIMES)
		look_again_or_tell(self);
	return false;
}
