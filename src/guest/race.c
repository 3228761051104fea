#include "guest/race.h"

#include "guest/births.h"
#include "guest/manners.h"
#include "guest/sys.h"
#include "guest/turn.h"

#define QUANTUM	   1048576 /* ns of logical time */
#define SLICE	   4	   /* quanta: as long as who runs does so, though others are ready */
#define GATE_SPINS 300	   /* looks before others are let run */
#define GATE_LOOKS 64	   /* naps before it is asked whether who closed the gate lives */

static struct domain *domain_at(uint32_t place)
{
	return &process.arena->domains[place];
}

static uint32_t domains_end(void)
{
	uint32_t end = process.arena->domains_end;

	return end < TASKS ? end : TASKS;
}

static uint32_t place_of(const struct domain *domain)
{
	return (uint32_t)(domain - process.arena->domains);
}

struct domain *domain_of(uint32_t index)
{
	uint32_t place = __atomic_load_n(&turn_of(index)->domain, __ATOMIC_SEQ_CST);

	return place && place <= TASKS ? domain_at(place - 1) : NULL;
}

uint64_t quantum_of(uint64_t time)
{
	return time == NEVER ? TURN_NEVER : time / QUANTUM;
}

bool race_runs(uint32_t index)
{
	const struct domain *domain = domain_of(index);

	return domain && __atomic_load_n(&domain->holder, __ATOMIC_SEQ_CST) == index + 1;
}

static uint32_t place_in_turn(void)
{
	return __atomic_load_n(&process.arena->in_turn, __ATOMIC_SEQ_CST);
}

bool race_is_first(uint32_t index)
{
	return place_in_turn() == turn_of(index)->domain && race_runs(index);
}

uint32_t race_first(void)
{
	uint32_t place = place_in_turn(), holder;

	if (!place || place > TASKS)
		return NO_TASK;
	holder = __atomic_load_n(&domain_at(place - 1)->holder, __ATOMIC_SEQ_CST);
	return holder && holder <= TASKS ? holder - 1 : NO_TASK;
}

/* The gate's owner is written there as the number of its task's slot, + 1. */
static bool gate_abandoned(uint32_t owner)
{
	char state = owner <= TASKS ? task_state(owner - 1) : 0;

	return state == 0 || state == 'Z' || state == 'X';
}

/* It is closed for moments only; but who closed it may have lost its CPU, or its life. */
static bool gate_taken(struct thread *self, uint32_t round)
{
	const int64_t nap[2] = { 0, 20000 };
	uint32_t owner = __atomic_load_n(&process.arena->gate, __ATOMIC_RELAXED);

	if (round < GATE_SPINS) {
		__builtin_ia32_pause();
		return false;
	}
	turn_hold(self);
	sys(__NR_nanosleep, nap, 0);
	turn_release(self);
	return owner && round % GATE_LOOKS == 0 && gate_abandoned(owner) &&
	       __atomic_compare_exchange_n(&process.arena->gate, &owner, self->task + 1, false,
		       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void gate_close(struct thread *self)
{
	for (uint32_t round = 0;; round++) {
		uint32_t nobody = 0;

		if (__atomic_compare_exchange_n(&process.arena->gate, &nobody, self->task + 1,
			    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
			gate_taken(self, round))
			return;
	}
}

/* The task should look again at what it waits for. */
static void rouse(uint32_t index)
{
	struct turn *turn = turn_of(index);

	__atomic_add_fetch(&turn->word, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&turn->asleep, __ATOMIC_SEQ_CST))
		sys(__NR_futex, &turn->word, FUTEX_WAKE, 1);
}

static void rouse_later(struct thread *self, uint32_t index)
{
	if (index == self->task)
		return;
	for (uint32_t i = 0; i < self->rousings; i++)
		if (self->rouse[i] == index)
			return;
	if (self->rousings < ROUSINGS)
		self->rouse[self->rousings++] = index;
	else
		rouse(index);
}

/* Of two places, the one of `domain` and another. */
static bool is_before(const struct domain *domain, const struct domain *other)
{
	return domain->quantum < other->quantum ||
	       (domain->quantum == other->quantum && domain->birth < other->birth);
}

static void settle(struct thread *self)
{
	const struct domain *first = NULL;
	uint32_t end = domains_end(), next;

	for (uint32_t i = 0; i < end; i++)
		if (domain_at(i)->quantum != TURN_NEVER &&
			(!first || is_before(domain_at(i), first)))
			first = domain_at(i);
	__atomic_store_n(
		&process.arena->in_turn, first ? place_of(first) + 1 : 0, __ATOMIC_SEQ_CST);
	next = race_first();
	if (next != NO_TASK)
		rouse_later(self, next);
}

/* Who is not first yet, and would run on the caller's core, is roused by whoever makes it the first
 * one: before, it would only take the core away. On another core it can wake up meanwhile. */
static bool can_sleep_on(const struct thread *self, uint32_t index)
{
	return turn_of(index)->acts && turn_of(index)->core == turn_of(self->task)->core &&
	       race_first() != index;
}

void gate_open(struct thread *self)
{
	uint32_t rousings = 0;

	settle(self);
	for (uint32_t i = 0; i < self->rousings; i++)
		if (!can_sleep_on(self, self->rouse[i]))
			self->rouse[rousings++] = self->rouse[i];
	self->rousings = 0;
	__atomic_store_n(&process.arena->gate, 0, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < rousings; i++)
		rouse(self->rouse[i]);
}

/* The process of the task did not compute before `time`. */
static void join_clock(uint32_t index, uint64_t time)
{
	struct task *owner = task_at(task_at(index)->process);
	uint64_t clock = owner->clock;

	if (clock >= time)
		return;
	__atomic_add_fetch(&owner->idle, time - clock, __ATOMIC_RELAXED);
	__atomic_store_n(&owner->clock, time, __ATOMIC_SEQ_CST);
}

static uint64_t clock_of(uint32_t index)
{
	return task_at(task_at(index)->process)->clock;
}

static void set_holder(struct thread *self, struct domain *domain, uint32_t index)
{
	__atomic_store_n(&domain->holder, index + 1, __ATOMIC_SEQ_CST);
	rouse_later(self, index);
}

static void enqueue(struct domain *domain, uint32_t index)
{
	struct turn *turn = turn_of(index);

	turn->ready = 1;
	turn->next = 0;
	if (domain->last)
		turn_of(domain->last - 1)->next = index + 1;
	else
		domain->first = index + 1;
	domain->last = index + 1;
}

/* Before all that are ready, but for those who were to run at once. */
static void enqueue_early(struct domain *domain, uint32_t index)
{
	uint32_t before = 0, at = domain->first;

	while (at && manner_is_urgent(at - 1)) {
		before = at;
		at = turn_of(at - 1)->next;
	}
	turn_of(index)->ready = 1;
	turn_of(index)->next = at;
	if (before)
		turn_of(before - 1)->next = index + 1;
	else
		domain->first = index + 1;
	if (!at)
		domain->last = index + 1;
}

static void dequeue(struct domain *domain, uint32_t index)
{
	uint32_t before = 0;

	for (uint32_t at = domain->first; at; before = at, at = turn_of(at - 1)->next) {
		if (at != index + 1)
			continue;
		if (before)
			turn_of(before - 1)->next = turn_of(index)->next;
		else
			domain->first = turn_of(index)->next;
		if (domain->last == at)
			domain->last = before;
		break;
	}
	turn_of(index)->ready = 0;
}

/* Nobody of it runs: it waits for a deadline, or for others. */
static bool is_idle(const struct domain *domain)
{
	return !domain->holder || turn_of(domain->holder - 1)->parked;
}

static struct domain *domain_new(uint64_t birth)
{
	uint32_t end = domains_end(), place = 0;
	struct domain *domain;

	while (place < end && domain_at(place)->members)
		place++;
	if (place == TASKS)
		fatal("too many processes: there can be %s", "32768");
	domain = domain_at(place);
	if (place == end)
		process.arena->domains_end = end + 1;
	*domain = (struct domain){
		.quantum = TURN_NEVER,
		.birth = birth,
		.generation = domain->generation + 1,
	};
	return domain;
}

static void join(struct domain *domain, uint32_t index)
{
	domain->members++;
	__atomic_store_n(&turn_of(index)->domain, place_of(domain) + 1, __ATOMIC_SEQ_CST);
}

void race_enter_alone(struct thread *self, uint32_t index, uint64_t quantum)
{
	struct domain *domain = domain_new(turn_of(index)->birth);

	join(domain, index);
	domain->quantum = domain->slice = quantum;
	domain->clock = clock_of(index);
	set_holder(self, domain, index);
}

void race_enter_with(struct thread *self, uint32_t index, struct domain *domain)
{
	join(domain, index);
	race_ready(self, index, domain->quantum);
}

void race_advance(struct domain *domain, uint64_t quantum)
{
	if (domain->quantum < quantum)
		domain->quantum = quantum;
}

/* After what others of the domain did, and after what let it go on. Not before it runs: meanwhile
 * the clock is that of another thread of its process, who may look at it. */
static void goes_on(const struct domain *domain, uint32_t index)
{
	join_clock(index, domain->clock);
	join_clock(index, turn_of(index)->since);
}

/* Who runs looks at what is urgent only when it has said so itself: when another domain's task does
 * would be a matter of chance. */
static void enqueue_woken(struct thread *self, struct domain *domain, uint32_t index)
{
	if (domain->holder != self->task + 1 || !manner_is_urgent(index)) {
		enqueue(domain, index);
		return;
	}
	enqueue_early(domain, index);
	domain->urgent = 1;
}

void race_ready(struct thread *self, uint32_t index, uint64_t quantum)
{
	struct domain *domain = domain_of(index);
	bool idle = is_idle(domain);

	turn_of(index)->parked = turn_of(index)->away = 0;
	if (!idle || turn_of(index)->stopped) {
		if (!turn_of(index)->ready)
			enqueue_woken(self, domain, index);
		return;
	}
	goes_on(domain, index);
	domain->quantum = domain->slice = quantum;
	set_holder(self, domain, index);
}

struct due {
	uint64_t clock;
	uint32_t place, parker;
	bool news;
};

/* Those who spin have something to look at once another task of the domain has run, unless that was
 * one that spins and changes nothing; and deadlines may have passed. */
static bool is_due(uint32_t index, const void *which)
{
	const struct due *due = which;
	const struct turn *turn = turn_of(index);

	return turn->domain == due->place && turn->parked && index != due->parker &&
	       (turn->deadline <= due->clock || (due->news && (turn->parked & PARK_SPIN)));
}

/* Answers whether anybody is ready by this. */
static bool make_due_ready(struct domain *domain, uint32_t parker)
{
	const struct due due = {
		.clock = domain->clock,
		.place = place_of(domain) + 1,
		.parker = parker,
		.news = parker == NO_TASK || !(turn_of(parker)->parked & PARK_STILL),
	};
	struct births walk = { .filter = is_due, .which = &due };
	bool any = false;
	uint32_t index;

	while (domain->members > 1 && (index = births_next(&walk)) != NO_TASK) {
		turn_of(index)->timed_out = turn_of(index)->deadline <= domain->clock;
		turn_of(index)->parked = 0;
		enqueue(domain, index);
		any = true;
	}
	return any;
}

/* Who of the domain is parked with the earliest deadline, or NO_TASK. */
static uint32_t first_sleeper(const struct domain *domain)
{
	uint32_t end = tasks_end(), place = place_of(domain) + 1, found = NO_TASK;

	for (uint32_t i = 0; i < end; i++) {
		const struct turn *turn = turn_of(i);

		if (turn->domain != place || !turn->parked || turn->stopped ||
			turn->deadline == TURN_NEVER)
			continue;
		if (found == NO_TASK || turn->deadline < turn_of(found)->deadline ||
			(turn->deadline == turn_of(found)->deadline &&
				turn->birth < turn_of(found)->birth))
			found = i;
	}
	return found;
}

static void rest(struct thread *self, struct domain *domain)
{
	uint32_t sleeper = first_sleeper(domain);

	if (sleeper == NO_TASK) {
		__atomic_store_n(&domain->holder, 0, __ATOMIC_SEQ_CST);
		domain->quantum = TURN_NEVER;
		return;
	}
	set_holder(self, domain, sleeper);
	domain->quantum = quantum_of(turn_of(sleeper)->deadline);
	if (domain->quantum < quantum_of(domain->clock))
		domain->quantum = quantum_of(domain->clock);
}

static uint32_t first_ready(const struct domain *domain)
{
	for (uint32_t at = domain->first; at; at = turn_of(at - 1)->next)
		if (!turn_of(at - 1)->stopped)
			return at - 1;
	return NO_TASK;
}

void race_hand_over(struct thread *self, struct domain *domain)
{
	uint32_t leaver = domain->holder ? domain->holder - 1 : NO_TASK, next;

	domain->urgent = 0;
	if (leaver != NO_TASK && domain->clock < clock_of(leaver))
		domain->clock = clock_of(leaver);
	make_due_ready(domain, leaver);
	next = first_ready(domain);
	if (next == NO_TASK) {
		rest(self, domain);
		return;
	}
	dequeue(domain, next);
	goes_on(domain, next);
	domain->slice = domain->quantum;
	set_holder(self, domain, next);
}

static bool slice_is_over(const struct domain *domain)
{
	return domain->slice == TURN_NEVER || domain->quantum >= domain->slice + SLICE;
}

bool race_has_news(const struct domain *domain)
{
	return domain->news != domain->quantum || domain->slice == TURN_NEVER || domain->urgent;
}

void race_rotate(struct thread *self, struct domain *domain)
{
	uint32_t holder = domain->holder - 1;
	bool urgent = domain->urgent, over;

	if (domain->clock < clock_of(holder))
		domain->clock = clock_of(holder);
	domain->news = domain->quantum;
	over = make_due_ready(domain, holder) || slice_is_over(domain);
	if (!over && !urgent)
		return;
	domain->slice = domain->quantum;
	if (first_ready(domain) == NO_TASK)
		return;
	if (over)
		enqueue(domain, holder);
	else
		enqueue_early(domain, holder);
	race_hand_over(self, domain);
}

void race_seize(struct thread *self, uint32_t index)
{
	struct domain *domain = domain_of(index);

	if (turn_of(index)->ready)
		dequeue(domain, index);
	turn_of(index)->parked = turn_of(index)->away = 0;
	set_holder(self, domain, index);
}

void race_leave(struct thread *self, uint32_t index)
{
	struct domain *domain = domain_of(index);

	if (!domain)
		return;
	if (turn_of(index)->ready)
		dequeue(domain, index);
	turn_of(index)->parked = turn_of(index)->away = 0;
	__atomic_store_n(&turn_of(index)->domain, 0, __ATOMIC_SEQ_CST);
	if (domain->members > 1 && domain->holder == index + 1)
		race_hand_over(
			self, domain); /* the last thing that it did may be news for others */
	domain->members--;
	if (!domain->members)
		domain->quantum = TURN_NEVER;
}

void race_merge(struct thread *self, struct domain *from, struct domain *to)
{
	uint32_t end = tasks_end(), place = place_of(from) + 1, holder = from->holder;
	uint64_t quantum = from->quantum;

	if (to->clock < from->clock)
		to->clock = from->clock;
	to->has_manners |= from->has_manners;
	to->open |= from->open;
	while (from->first) {
		uint32_t index = from->first - 1;

		dequeue(from, index);
		join(to, index);
		enqueue(to, index);
	}
	for (uint32_t i = 0; i < end; i++)
		if (turn_of(i)->domain == place)
			join(to, i);
	from->members = from->holder = 0;
	from->quantum = TURN_NEVER;
	if (holder && !turn_of(holder - 1)->parked)
		race_ready(self, holder - 1, quantum);
}

static void mark_stopped(uint32_t first, uint32_t stopped)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++)
		if (turn_of(i)->domain && task_at(i)->process == first)
			turn_of(i)->stopped = stopped;
}

void race_stop(struct thread *self)
{
	struct domain *domain = domain_of(self->task);

	mark_stopped(task_at(self->task)->process, 1);
	enqueue(domain, self->task);
	race_hand_over(self, domain);
}

void race_continue(struct thread *self, uint32_t first, uint64_t quantum)
{
	struct domain *domain = domain_of(first);
	uint32_t next;

	mark_stopped(first, 0);
	if (!is_idle(domain))
		return;
	next = first_ready(domain);
	if (next == NO_TASK) {
		rest(self, domain);
		return;
	}
	dequeue(domain, next);
	race_ready(self, next, quantum);
}

uint64_t race_behind(uint32_t from, uint64_t birth)
{
	const struct domain *domain = domain_of(from);

	if (!domain || domain->quantum == TURN_NEVER)
		return race_behind_all(birth);
	return domain->quantum + (birth < domain->birth);
}

uint64_t race_behind_all(uint64_t birth)
{
	uint32_t first = race_first();
	const struct domain *domain = first == NO_TASK ? NULL : domain_of(first);
	uint64_t quantum = domain ? domain->quantum : TURN_NEVER;

	return quantum == TURN_NEVER ? 0 : quantum + (birth < domain->birth);
}
