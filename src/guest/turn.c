#include "guest/turn.h"

#include "guest/children.h"
#include "guest/clock.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/text.h"

#define WAKING	       (1u << 31) /* in place of what a task is parked for: it is being let go on */
#define QUANTUM	       1048576	  /* ns of logical time */
#define SPINS	       2000	  /* looks before going to sleep: some 10 us */
#define SPIN_TIMES     2  /* looks at a holder that runs, and may wait for its sharer to write */
#define CROWD	       64 /* tasks; with so many, nobody spins, and patience grows */
#define DOUBLINGS      7
#define DEADLOCK_TIMES 30	/* looks, with nobody in the race, before a deadlock is one */
#define PATIENCE       10000000 /* ns of real time after which a sleeper looks at who holds it back */

static struct turn *turn_of(uint32_t index)
{
	return &process.arena->turns[index];
}

static uint64_t quantum_of(uint64_t time)
{
	return time == NEVER ? TURN_NEVER : time / QUANTUM;
}

static uint64_t quantum_at(uint32_t index)
{
	return __atomic_load_n(&turn_of(index)->quantum, __ATOMIC_SEQ_CST);
}

static void set_quantum(uint32_t index, uint64_t quantum)
{
	__atomic_store_n(&turn_of(index)->quantum, quantum, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&process.arena->moves, 1, __ATOMIC_SEQ_CST);
}

static uint32_t parked_for(uint32_t index)
{
	return __atomic_load_n(&turn_of(index)->parked, __ATOMIC_SEQ_CST);
}

/*
 * Out of the race, and not parked: it was passed over, or is away. Who lets a task go on gives it its
 * quantum before it ends the park, so that the quantum is to be looked at last.
 */
static bool is_out(uint32_t index)
{
	return !parked_for(index) && quantum_at(index) == TURN_NEVER;
}

/* Of two in the same quantum. Slots are given back at no certain time, so they say nothing. */
static bool is_older(uint32_t index, uint32_t other)
{
	return turn_of(index)->birth < turn_of(other)->birth;
}

static uint32_t look_before(uint32_t index, uint64_t quantum, bool all)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++) {
		uint64_t other = quantum_at(i);

		if ((other < quantum || (other == quantum && is_older(i, index))) &&
			(all || turn_of(i)->domain != turn_of(index)->domain))
			return i;
	}
	return NO_TASK;
}

/*
 * Who is before this task? NO_TASK: nobody. `all`: those that share its memory count too. One that was
 * looked at early may have been let go on since by one that was looked at late: then all is looked at
 * again.
 */
static uint32_t before(uint32_t index, uint64_t quantum, bool all)
{
	uint64_t moves;
	uint32_t found;

	do {
		moves = __atomic_load_n(&process.arena->moves, __ATOMIC_SEQ_CST);
		found = look_before(index, quantum, all);
	} while (found == NO_TASK &&
		 moves != __atomic_load_n(&process.arena->moves, __ATOMIC_SEQ_CST));
	return found;
}

static uint32_t first_of_all(void)
{
	uint32_t end = tasks_end(), first = NO_TASK;
	uint64_t least = TURN_NEVER;

	for (uint32_t i = 0; i < end; i++) {
		uint64_t quantum = quantum_at(i);

		if (quantum < least ||
			(quantum != TURN_NEVER && quantum == least && is_older(i, first))) {
			least = quantum;
			first = i;
		}
	}
	return first;
}

static void rouse(uint32_t index)
{
	struct turn *turn = turn_of(index);

	__atomic_add_fetch(&turn->word, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&turn->asleep, __ATOMIC_SEQ_CST))
		sys(__NR_futex, &turn->word, FUTEX_WAKE, 1);
}

/* The turn may have passed to somebody who sleeps. */
static void rouse_next(uint32_t self)
{
	uint32_t next;

	if (!__atomic_load_n(&process.arena->sleepers, __ATOMIC_SEQ_CST))
		return;
	next = first_of_all();
	if (next != NO_TASK && next != self)
		rouse(next);
}

/*
 * Somebody holds the caller back for long. It may compute; but if it died nobody told, and if it
 * sleeps in the kernel it waits for what only others can do: both are facts of its logical past, so
 * going on without it is no matter of chance. One that shares memory with the caller may wait for
 * what the caller is to write there, unless it is parked: then it waits for its deadline, and would lose
 * it.
 */
static void look_at_holder(struct thread *self, uint32_t holder, uint32_t times)
{
	uint32_t generation = task_at(holder)->generation;
	uint64_t quantum = quantum_at(holder);
	char state;

	if (holder == self->task || quantum == TURN_NEVER)
		return;
	state = task_state(holder);
	if (state == 0 || state == 'Z' || state == 'X') {
		child_died(holder, holder, generation);
	} else if (state == 'T' || state == 't' ||
		   (state == 'S' && !turn_of(holder)->busy && !turn_of(holder)->asleep) ||
		   (times > SPIN_TIMES && !parked_for(holder) &&
			   turn_of(holder)->sharers == turn_of(self->task)->sharers)) {
		__atomic_compare_exchange_n(&turn_of(holder)->quantum, &quantum, TURN_NEVER, false,
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		if (state == 'T')
			child_stopped(holder, holder);
		rouse_next(holder);
	}
}

/* Is every task parked for good? Nothing will ever happen again, as nothing comes from outside, unless
 * there are real alarms. */
static bool is_deadlock(void)
{
	uint32_t end = process.relax & RELAX_TIME ? 0 : tasks_end();
	uint64_t moves = __atomic_load_n(&process.arena->moves, __ATOMIC_SEQ_CST);

	for (uint32_t i = 0; i < end; i++)
		if (task_at(i)->state == TASK_LIVE &&
			(quantum_at(i) != TURN_NEVER || !turn_of(i)->parked))
			return false;
	return end > 0 && moves == __atomic_load_n(&process.arena->moves, __ATOMIC_SEQ_CST);
}

static const char *reason(uint32_t parked)
{
	return parked & PARK_CHILD    ? "a child"
	       : parked & PARK_STREAM ? "a pipe or socket"
				      : "a signal";
}

_Noreturn static void tell_deadlock(void)
{
	char text[256], *at = text;
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end && at < text + sizeof(text) - 64; i++) {
		if (task_at(i)->state != TASK_LIVE)
			continue;
		at = text_put(text_put_number(text_put(at, at > text ? ", " : ""), task_at(i)->tid),
			" for ");
		at = text_put(at, reason(turn_of(i)->parked));
	}
	fatal("deadlock: all processes of the command wait (%s); see stet-run(1)", text);
}

static void sleep_on(struct thread *self, uint32_t word, uint32_t holder, uint32_t times)
{
	uint32_t doublings = times < DOUBLINGS ? times : DOUBLINGS;
	const int64_t patience[2] = { 0, PATIENCE << (tasks_end() < CROWD ? 0 : doublings) };
	long r;

	__atomic_add_fetch(&process.arena->sleepers, 1, __ATOMIC_SEQ_CST);
	r = sys(__NR_futex, &turn_of(self->task)->word, FUTEX_WAIT, word, patience);
	__atomic_sub_fetch(&process.arena->sleepers, 1, __ATOMIC_SEQ_CST);
	if (r != -ETIMEDOUT)
		return;
	if (parked_for(self->task) & PARK_CHILD & ~WAKING)
		children_look(self);
	if (holder != NO_TASK)
		look_at_holder(self, holder, times);
	else if (times > DEADLOCK_TIMES && is_deadlock())
		tell_deadlock();
}

static uint64_t real_now(void)
{
	uint64_t time[2];

	sys(__NR_clock_gettime, 1 /* CLOCK_MONOTONIC */, time);
	return time[0] * NSEC_PER_SEC + time[1];
}

/* Takes the task out of its park, unless somebody else is about to. */
static bool unpark(uint32_t index, uint32_t then)
{
	uint32_t parked = parked_for(index);

	return parked && parked != WAKING &&
	       __atomic_compare_exchange_n(&turn_of(index)->parked, &parked, then, false,
		       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static bool end_park_by_signal(const struct thread *self)
{
	return self->pending && (parked_for(self->task) & PARK_SIGNAL) && unpark(self->task, 0);
}

/* Who keeps the task from acting: itself when it is parked without a deadline, or being woken. */
static uint32_t holder_of(uint32_t index, bool all)
{
	uint64_t quantum = quantum_at(index);

	if (quantum == TURN_NEVER || parked_for(index) == WAKING)
		return index;
	return before(index, quantum, all);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The quantum of the task's next event: not before what others have done already. */
static uint64_t quantum_after_all(const struct thread *self)
{
	uint32_t first = first_of_all();
	uint64_t others = first == NO_TASK ? 0 : quantum_at(first);

	return later(quantum_of(clock_now(self)), others == TURN_NEVER ? 0 : others);
}

/* The kernel ends the process within moments. If it does not, whoever said so was wrong. */
void turn_wait_for_end(struct thread *self)
{
	const int64_t moments[2] = { 0, 200000000 };

	sys(__NR_nanosleep, moments, 0);
	task_goes_on(self);
}

/*
 * Until nobody is before it. Tasks that share memory are not ordered among each other, as one of
 * them may wait for what another writes there; but who sleeps lets the others run for as long as it
 * said, in real time: `patience` ns.
 */
static void wait_for_turn(struct thread *self, uint64_t patience)
{
	struct turn *turn = turn_of(self->task);
	uint64_t until = 0;

	for (uint32_t round = 0;; round++) {
		uint32_t word = __atomic_load_n(&turn->word, __ATOMIC_SEQ_CST), holder;

		if (round == 0 && tasks_end() >= CROWD)
			round = SPINS; /* too many to look at again and again */
		if (round == SPINS)
			__atomic_store_n(&turn->asleep, 1, __ATOMIC_SEQ_CST);
		if (end_park_by_signal(self) || is_out(self->task))
			set_quantum(self->task, quantum_after_all(self));
		holder = holder_of(self->task, patience && (round < SPINS || real_now() < until));
		if (holder == NO_TASK)
			break;
		if (round == 0 && patience)
			until = real_now() + patience;
		if (round < SPINS)
			__builtin_ia32_pause();
		else
			sleep_on(self, word, holder == self->task ? first_of_all() : holder,
				round - SPINS);
	}
	__atomic_store_n(&turn->asleep, 0, __ATOMIC_SEQ_CST);
	if (task_is_over(self))
		turn_wait_for_end(self);
}

/* Numbers of groups are those of their first tasks' slots, and of their generation: a slot may have
 * another task while the group lives on. */
static uint32_t group_of(const struct thread *self, uint32_t index, bool joins, uint32_t group)
{
	return joins && index != self->task ? group : index + task_at(index)->generation * TASKS;
}

static void set_groups(const struct thread *self, uint32_t index)
{
	const struct turn *own = turn_of(self->task);
	struct turn *turn = turn_of(index);
	bool thread = task_at(index)->process != index;

	turn->domain = group_of(self, index, thread, own->domain);
	turn->sharers = group_of(self, index, thread || clock_owner(self)->shares, own->sharers);
}

void turn_enter(struct thread *self, uint32_t index)
{
	struct turn *turn = turn_of(index);

	turn->parked = turn->busy = turn->asleep = 0;
	turn->birth = __atomic_add_fetch(&process.arena->births, 1, __ATOMIC_RELAXED);
	set_groups(self, index);
	process.arena->mailboxes[index].count = 0; /* what was sent to the slot's last owner */
	set_quantum(index, quantum_of(clock_now(self)));
}

void turn_begin(struct thread *self)
{
	set_groups(self, self->task);
}

void turn_quit(uint32_t index)
{
	__atomic_store_n(&turn_of(index)->parked, 0, __ATOMIC_SEQ_CST);
	set_quantum(index, TURN_NEVER);
	rouse_next(index);
}

static void move_to(struct thread *self, uint64_t quantum)
{
	if (quantum == quantum_at(self->task))
		return;
	set_quantum(self->task, quantum);
	rouse_next(self->task);
}

/* A task's quantum never goes back: who woke it may have set it further than its clock. When it has
 * been passed over, it comes back behind the others. */
static uint64_t quantum_due(const struct thread *self)
{
	uint64_t set = quantum_at(self->task);

	return set == TURN_NEVER ? quantum_after_all(self)
				 : later(quantum_of(clock_now(self)), set);
}

struct place turn_place(struct thread *self)
{
	return (struct place){ quantum_due(self), turn_of(self->task)->birth };
}

bool turn_is_first(struct thread *self)
{
	uint64_t quantum = quantum_due(self);

	move_to(self, quantum);
	return before(self->task, quantum, false) == NO_TASK;
}

void turn_take(struct thread *self)
{
	uint64_t quantum;

	if (!turns_matter())
		return;
	quantum = quantum_due(self);
	move_to(self, quantum);
	if (before(self->task, quantum, false) != NO_TASK || task_is_over(self))
		wait_for_turn(self, 0);
}

void turn_leave(struct thread *self, uint64_t cost)
{
	if (!turns_matter())
		return;
	clock_advance(self, cost);
	move_to(self, quantum_due(self));
}

void turn_park_begin(struct thread *self, uint32_t what)
{
	__atomic_store_n(&turn_of(self->task)->parked, what, __ATOMIC_SEQ_CST);
	set_quantum(self->task, TURN_NEVER);
	rouse_next(self->task);
}

void turn_park_end(struct thread *self, bool failed)
{
	if (failed) {
		turn_of(self->task)->parked = 0;
		set_quantum(self->task, quantum_after_all(self));
	}
	wait_for_turn(self, 0);
}

bool turn_park(struct thread *self, uint32_t what, uint64_t deadline)
{
	struct turn *turn = turn_of(self->task);
	uint64_t now = clock_now(self);

	__atomic_store_n(&turn->parked, what, __ATOMIC_SEQ_CST);
	set_quantum(self->task, quantum_of(deadline));
	rouse_next(self->task);
	wait_for_turn(self, deadline == NEVER || deadline < now ? 0 : deadline - now);
	if (!unpark(self->task, 0))
		return true;
	clock_join(self, deadline);
	return false;
}

/* Behind the task in `from`, or, when that is not in the race, behind what has been done already. */
static uint64_t quantum_behind(uint32_t from, uint32_t index)
{
	uint64_t quantum = quantum_at(from);

	if (quantum != TURN_NEVER)
		return quantum + is_older(index, from);
	from = first_of_all();
	return from == NO_TASK ? 0 : quantum_at(from);
}

/* Behind the one whose doing it is, and at its time at the earliest. */
static void let_go_on(uint32_t from, uint32_t index)
{
	struct task *owner = task_at(task_at(index)->process);
	uint64_t now = task_at(task_at(from)->process)->clock, clock = owner->clock;

	if (!unpark(index, WAKING))
		return;
	if (clock < now) {
		owner->idle += now - clock;
		__atomic_store_n(&owner->clock, now, __ATOMIC_SEQ_CST);
	}
	set_quantum(index, later(quantum_of(later(clock, now)), quantum_behind(from, index)));
	__atomic_store_n(&turn_of(index)->parked, 0, __ATOMIC_SEQ_CST);
	rouse(index);
}

void turn_wake_one(uint32_t from, uint32_t what, uint32_t index)
{
	if ((parked_for(index) & what & ~WAKING) && task_at(index)->state == TASK_LIVE)
		let_go_on(from, index);
}

void turn_wake(uint32_t from, uint32_t what)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++)
		turn_wake_one(from, what, i);
}

void turn_away(struct thread *self)
{
	if (!turns_matter())
		return;
	set_quantum(self->task, TURN_NEVER);
	rouse_next(self->task);
}

bool turn_is_away(uint32_t index)
{
	return is_out(index);
}

void turn_back(struct thread *self)
{
	turn_take(self);
}

void turn_hold(struct thread *self)
{
	turn_of(self->task)->busy++;
}

void turn_release(struct thread *self)
{
	turn_of(self->task)->busy--;
}

void turn_nudge(struct thread *self)
{
	__atomic_add_fetch(&turn_of(self->task)->word, 1, __ATOMIC_SEQ_CST);
}
