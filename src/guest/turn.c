#include "guest/turn.h"

#include "arena/identity.h"
#include "guest/births.h"
#include "guest/children.h"
#include "guest/glances.h"
#include "guest/holders.h"
#include "guest/manners.h"
#include "guest/near.h"
#include "guest/own_signals.h"
#include "guest/race.h"
#include "guest/report.h"
#include "guest/stream_mask.h"
#include "guest/sys.h"

#define SPINS	    2000 /* looks before going to sleep: some 20 to 100 us */
#define CROWD	    64	 /* tasks; with so many, nobody spins */
#define END_MOMENTS 50	 /* of a fifth of a second */

#define HEAD_START  3000000 /* ns of logical time: a maker makes thirty processes in it */

enum need {
	TO_RUN, /* the program's code: it is the holder of its domain */
	TO_ACT, /* so that others see it: and that is the first one */
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct turn *own_turn(const struct thread *self)
{
	return turn_of(self->task);
}

/* While another thread ran, even if this one has not noticed that. */
static bool is_signalled(const struct thread *self)
{
	return __atomic_load_n(&own_turn(self)->signalled, __ATOMIC_SEQ_CST);
}

static uint64_t quantum_now(const struct thread *self)
{
	return quantum_of(clock_now(self));
}

/* Who was taken for dead, and whose process goes on, enters anew. */
static struct domain *enter_anew(struct thread *self)
{
	turn_wait_for_end(self);
	gate_close(self);
	if (!domain_of(self->task))
		race_enter_alone(self, self->task,
			later(quantum_now(self), race_behind_all(own_turn(self)->birth)));
	gate_open(self);
	return domain_of(self->task);
}

static struct domain *own_domain(struct thread *self)
{
	struct domain *domain = domain_of(self->task);

	return domain ? domain : enter_anew(self);
}

/* It comes back into the race: behind what others have done meanwhile. */
static void come_back(struct thread *self)
{
	const struct domain *domain = domain_of(self->task);

	if (!domain)
		return;
	race_ready(self, self->task,
		later(later(quantum_now(self), race_behind_all(domain->birth)),
			domain->quantum == TURN_NEVER ? 0 : domain->quantum));
}

/* Has it, or may it have at any moment, others to take turns with? The latter is no less, as these
 * come when it is about anything. */
static bool has_company(const struct domain *domain)
{
	return domain->members > 1 || domain->open;
}

/* Passed over, or back from a call that blocked. */
static void end_absence(struct thread *self)
{
	gate_close(self);
	if (own_turn(self)->away)
		come_back(self);
	gate_open(self);
}

static void end_park_by_signal(struct thread *self)
{
	struct turn *turn = own_turn(self);

	gate_close(self);
	if (turn->parked & PARK_SIGNAL) {
		turn->timed_out = 0;
		come_back(self);
	}
	gate_open(self);
}

/* The domain is first with a task that is parked: its deadline has come. */
static void end_park_by_deadline(struct thread *self)
{
	struct turn *turn = own_turn(self);

	gate_close(self);
	if (turn->parked && race_is_first(self->task)) {
		turn->parked = 0;
		turn->timed_out = 1;
	}
	gate_open(self);
}

static bool may_go(struct thread *self, enum need need)
{
	struct turn *turn = own_turn(self);
	bool go;

	if (__atomic_load_n(&turn->away, __ATOMIC_SEQ_CST))
		end_absence(self);
	if (self->pending && (turn->parked & PARK_SIGNAL))
		end_park_by_signal(self);
	go = need == TO_ACT ? race_is_first(self->task) : race_runs(self->task);
	if (go && __atomic_load_n(&turn->parked, __ATOMIC_SEQ_CST)) {
		end_park_by_deadline(self);
		go = !turn->parked && race_is_first(self->task);
	}
	return go;
}

/* The kernel ends the process within moments, as soon as who said so comes to it: on a machine that
 * has much else to do, that may take a while. If it does not, whoever said so was wrong. */
void turn_wait_for_end(struct thread *self)
{
	const int64_t moments[2] = { 0, 200000000 };

	for (uint32_t i = 0; i < END_MOMENTS || !task_goes_on(self); i++)
		sys(__NR_nanosleep, moments, 0);
}

/* The kernel tells every program in this segment's limit. */
static void note_core(struct thread *self)
{
	uint32_t limit;

	__asm__("lsl %1, %0" : "=r"(limit) : "r"(0x7b));
	own_turn(self)->core = limit & 0xfff;
}

/* Is the one that it waits for likely to run at this moment? Who shares its core keeps it from
 * that. */
static bool may_spin(struct thread *self, enum need need)
{
	uint32_t holder = own_domain(self)->holder, other;

	other = need == TO_ACT ? race_first() : holder ? holder - 1 : NO_TASK;
	if (other == NO_TASK || tasks_end() >= CROWD)
		return false;
	note_core(self);
	return turn_of(other)->core != own_turn(self)->core;
}

/* Whoever looks at it later must be able to tell that it did, and was awake before and after. */
static void fall_asleep(struct turn *turn)
{
	if (!turn->asleep)
		__atomic_add_fetch(&turn->naps, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&turn->asleep, 1, __ATOMIC_SEQ_CST);
}

/* What it sleeps on. A thread that the kernel ends late may find its turn to be another's. */
static uint32_t own_word(struct thread *self)
{
	if (task_is_replaced(self))
		turn_wait_for_end(self);
	return __atomic_load_n(&own_turn(self)->word, __ATOMIC_SEQ_CST);
}

static void wait_for(struct thread *self, enum need need)
{
	struct turn *turn = own_turn(self);
	bool holds = self->holds_glances;
	uint32_t sleeps = 0;

	glances_release(self);
	near_wait(self);
	__atomic_store_n(&turn->acts, need == TO_ACT, __ATOMIC_SEQ_CST);
	for (uint32_t round = 0;; round++) {
		uint32_t word = own_word(self);
		bool spins = round < SPINS && may_spin(self, need);

		if (!spins)
			fall_asleep(turn);
		if (may_go(self, need))
			break;
		if (spins) {
			__builtin_ia32_pause();
		} else if (holders_sleep(self, word, sleeps++)) {
			__atomic_store_n(&turn->asleep, 0, __ATOMIC_SEQ_CST);
			round = 0;
		}
	}
	if (sleeps && process.arena->config.report)
		report_wait();
	note_core(self);
	__atomic_store_n(&turn->asleep, 0, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&turn->signalled, 0, __ATOMIC_SEQ_CST))
		own_signals_take(self);
	if (task_is_over(self))
		turn_wait_for_end(self);
	if (holds)
		glances_hold(self);
}

/*
 * A process begins a little later than its maker goes on, so that the maker can make more of them
 * while the first computes and makes no event.
 */
static uint64_t begin_later(struct thread *self, uint32_t index, const struct domain *maker)
{
	struct task *task = task_at(index);

	if (!maker)
		return quantum_now(self);
	task->clock = task->told[0] += HEAD_START;
	task->idle = task->told[1] += HEAD_START;
	return later(quantum_of(task->clock), maker->quantum);
}

void turn_enter(struct thread *self, uint32_t index, bool shares)
{
	struct turn *turn = turn_of(index);
	struct domain *domain = index == self->task ? NULL : domain_of(self->task);
	uint64_t birth = __atomic_add_fetch(&process.arena->births, 1, __ATOMIC_RELAXED);

	near_free(self);
	*turn = (struct turn){ .birth = birth, .word = turn->word, .deadline = TURN_NEVER };
	process.arena->mailboxes[index].count = 0; /* what was sent to the slot's last owner */
	if (!turns_matter())
		return;
	gate_close(self);
	if (shares && domain && threads_matter())
		race_enter_with(self, index, domain);
	else
		race_enter_alone(self, index, begin_later(self, index, domain));
	gate_open(self);
}

/* The one that the kernel keeps until this task, its child, is a program or ends. */
static void park_bearer(struct thread *self, uint32_t bearer)
{
	struct turn *turn = turn_of(bearer);

	gate_close(self);
	if (race_runs(bearer)) {
		turn->deadline = TURN_NEVER;
		turn->timed_out = 0;
		turn->call = __NR_vfork;
		__atomic_store_n(&turn->parked, PARK_BIRTH, __ATOMIC_SEQ_CST);
		race_hand_over(self, domain_of(bearer));
	}
	gate_open(self);
}

void turn_borne(struct thread *self)
{
	if (turns_matter())
		wait_for(self, TO_ACT);
}

void turn_born(struct thread *self)
{
	uint32_t bearer = task_at(self->task)->bearer;

	own_turn(self)->area = (uint64_t)self;
	if (turns_matter() && bearer && bearer <= TASKS)
		park_bearer(self, bearer - 1);
	if (turns_matter() && (!race_runs(self->task) || is_signalled(self)))
		wait_for(self, TO_RUN);
}

void turn_succeed(struct thread *self, uint32_t index)
{
	uint32_t end = domain_of(index) || !turns_matter() ? 0 : tasks_end();

	if (!turns_matter())
		return;
	gate_close(self);
	for (uint32_t i = 0; i < end && !domain_of(index); i++)
		if (task_at(i)->process == index && domain_of(i))
			race_enter_with(self, index, domain_of(i));
	race_seize(self, index);
	gate_open(self);
}

void turn_begin(struct thread *self)
{
	struct domain *domain = own_domain(self);
	uint64_t quantum = domain->quantum;

	own_turn(self)->area = (uint64_t)self;
	manner_forget(self);
	if (!has_company(domain))
		return;
	gate_close(self);
	race_leave(self, self->task);
	race_enter_alone(self, self->task, quantum);
	gate_open(self);
}

void turn_quit(uint32_t index)
{
	struct thread *self = thread_self();

	if (!turns_matter() || !turn_of(index)->domain)
		return;
	gate_close(self);
	race_leave(self, index);
	gate_open(self);
}

bool turn_is_shared(struct thread *self)
{
	return has_company(own_domain(self));
}

struct turn_place turn_place(struct thread *self)
{
	const struct domain *domain = own_domain(self);

	return (struct turn_place){ later(quantum_now(self), domain->quantum), domain->birth };
}

/* Others are told how far it is. */
static void come_to_now(struct thread *self)
{
	struct domain *domain = own_domain(self);
	uint64_t quantum = quantum_now(self);

	if (domain->quantum >= quantum || !race_runs(self->task))
		return;
	gate_close(self);
	race_advance(domain, quantum);
	gate_open(self);
}

bool turn_is_first(struct thread *self)
{
	come_to_now(self);
	return race_is_first(self->task);
}

void turn_take(struct thread *self)
{
	if (!turns_matter())
		return;
	if (process.arena->last_looks)
		process.arena->last_looks = process.arena->last_looker = 0;
	come_to_now(self);
	if (!race_is_first(self->task) || task_is_over(self) || is_signalled(self))
		wait_for(self, TO_ACT);
}

/* Others of the domain may be next. */
static void end_event(struct thread *self, struct domain *domain)
{
	note_core(self);
	gate_close(self);
	if (race_runs(self->task)) {
		race_advance(domain, quantum_now(self));
		if (race_has_news(domain))
			race_rotate(self, domain);
	}
	gate_open(self);
}

void turn_leave(struct thread *self, uint64_t cost)
{
	struct domain *domain;

	if (cost)
		self->looks = 0;
	if (!turns_matter())
		return;
	domain = own_domain(self);
	clock_advance(self, cost);
	if (domain->quantum < quantum_now(self) || race_has_news(domain))
		end_event(self, domain);
	if (!race_runs(self->task) || is_signalled(self))
		wait_for(self, TO_RUN);
}

void turn_tick(struct thread *self, uint32_t number, uint64_t cost)
{
	struct domain *domain;
	bool done;

	if (!turns_matter())
		return;
	domain = own_domain(self);
	clock_advance(self, cost);
	done = has_company(domain) && manner_lets_others(self, domain, number);
	if (domain->quantum >= quantum_now(self) && !done)
		return;
	/* Who is ready by now is for logical time to say. */
	if (has_company(domain))
		turn_take(self);
	if (done)
		turn_yield(self);
	turn_leave(self, 0);
}

void turn_yield(struct thread *self)
{
	struct domain *domain = own_domain(self);

	if (has_company(domain))
		domain->slice = TURN_NEVER;
}

static void park(struct thread *self, uint32_t what, uint64_t deadline)
{
	struct turn *turn = own_turn(self);

	gate_close(self);
	turn->deadline = deadline;
	turn->timed_out = 0;
	turn->call = (uint32_t)self->regs.rax;
	turn->object = (uint32_t)self->regs.rdi;
	__atomic_store_n(&turn->parked, what, __ATOMIC_SEQ_CST);
	if (domain_of(self->task))
		race_hand_over(self, domain_of(self->task));
	gate_open(self);
}

void turn_watch(struct thread *self, uint64_t streams)
{
	own_turn(self)->streams = streams;
}

bool turn_park(struct thread *self, uint32_t what, uint64_t deadline)
{
	struct turn *turn = own_turn(self);

	if (process.arena->config.report)
		report_park();
	park(self, what, deadline);
	wait_for(self, TO_ACT);
	turn->streams = 0;
	if (!turn->timed_out)
		return true;
	clock_join(self, deadline);
	return false;
}

/* [gate] Behind the one whose doing it is, and at its time at the earliest. */
static void let_go_on(struct thread *self, uint32_t from, uint32_t index)
{
	const struct domain *domain = domain_of(index);
	uint64_t now = task_at(task_at(from)->process)->clock;
	uint64_t clock = task_at(task_at(index)->process)->clock;

	turn_of(index)->timed_out = 0;
	turn_of(index)->since = now;
	race_ready(self, index,
		later(quantum_of(later(clock, now)), race_behind(from, domain->birth)));
}

struct parking {
	uint32_t what, process; /* the latter may be NO_TASK: any */
	uint64_t streams;
};

static bool is_parked_for(uint32_t index, const void *which)
{
	const struct parking *parking = which;
	const struct turn *turn = turn_of(index);
	uint32_t reasons = turn->parked & parking->what;

	return reasons && turn->domain &&
	       (parking->process == NO_TASK || task_at(index)->process == parking->process) &&
	       (reasons & ~(uint32_t)PARK_STREAM || !turn->streams ||
		       (turn->streams & parking->streams));
}

static void wake(uint32_t from, struct parking parking)
{
	struct births walk = { .filter = is_parked_for, .which = &parking };
	struct thread *self = thread_self();
	bool closed = false;
	uint32_t index;

	while ((index = births_next(&walk)) != NO_TASK) {
		if (!closed)
			gate_close(self);
		closed = true;
		if (is_parked_for(index, &parking))
			let_go_on(self, from, index);
	}
	if (closed)
		gate_open(self);
}

void turn_wake_one(uint32_t from, uint32_t what, uint32_t index)
{
	const struct parking parking = { what, NO_TASK, STREAMS_ALL };
	struct thread *self = thread_self();

	if (!is_parked_for(index, &parking))
		return;
	gate_close(self);
	if (is_parked_for(index, &parking))
		let_go_on(self, from, index);
	gate_open(self);
}

void turn_wake(uint32_t from, uint32_t what)
{
	wake(from, (struct parking){ what, NO_TASK, STREAMS_ALL });
}

void turn_wake_process(uint32_t from, uint32_t what, uint32_t owner)
{
	wake(from, (struct parking){ what, owner, STREAMS_ALL });
}

void turn_wake_streams(uint32_t from, uint64_t streams)
{
	wake(from, (struct parking){ PARK_STREAM, NO_TASK, streams });
}

void turn_away(struct thread *self)
{
	glances_release(self);
	if (!turns_matter())
		return;
	gate_close(self);
	__atomic_store_n(&own_turn(self)->away, 1, __ATOMIC_SEQ_CST);
	if (domain_of(self->task))
		race_hand_over(self, domain_of(self->task));
	gate_open(self);
}

bool turn_is_away(uint32_t index)
{
	return turn_of(index)->domain && turn_of(index)->away;
}

void turn_back(struct thread *self)
{
	turn_take(self);
}

void turn_stop(struct thread *self)
{
	gate_close(self);
	race_stop(self);
	gate_open(self);
}

bool turn_is_stopped(uint32_t index)
{
	return turn_of(index)->domain && turn_of(index)->stopped;
}

void turn_continue(struct thread *self, uint32_t index)
{
	gate_close(self);
	if (turn_is_stopped(index))
		race_continue(self, index, race_behind(self->task, domain_of(index)->birth));
	gate_open(self);
}

/* The domain of those who map the file; NULL when there is none any more. */
static struct domain *sharers(const struct shared_file *file)
{
	struct domain *domain = file->domain && file->domain <= TASKS
					? &process.arena->domains[file->domain - 1]
					: NULL;

	return domain && domain->members && domain->generation == file->generation ? domain : NULL;
}

/* The place of the file in the table: its own, or one that nobody needs. When all are taken, it is
 * another's: that they take turns with too many does no harm. */
static struct shared_file *find_shared(uint64_t device, uint64_t number)
{
	uint64_t hash = identity_mix(identity_mix(0, device), number);
	struct shared_file *files = process.arena->shared_files, *unused = NULL;

	for (uint32_t i = 0; i < SHARED_FILES; i++) {
		struct shared_file *file = &files[(hash + i) % SHARED_FILES];

		if (file->device == device && file->number == number && file->domain)
			return file;
		if (!unused && !sharers(file))
			unused = file;
		if (!file->domain)
			break;
	}
	return unused ? unused : &files[hash % SHARED_FILES];
}

static void note_sharers(struct shared_file *file, const struct domain *domain)
{
	file->domain = (uint32_t)(domain - process.arena->domains) + 1;
	file->generation = domain->generation;
}

/* What they share with anybody, they do as those from now on. */
static void merge(struct thread *self, struct domain *from, struct domain *to)
{
	for (uint32_t i = 0; i < SHARED_FILES; i++)
		if (sharers(&process.arena->shared_files[i]) == from)
			note_sharers(&process.arena->shared_files[i], to);
	gate_close(self);
	race_merge(self, from, to);
	gate_open(self);
}

void turn_share(struct thread *self, uint64_t device, uint64_t number)
{
	struct domain *own = own_domain(self), *others;
	struct shared_file *file = find_shared(device, number);

	if (!threads_matter())
		return;
	own->open = 1;
	others = sharers(file);
	if (!others) {
		file->device = device;
		file->number = number;
		note_sharers(file, own);
	} else if (others != own) {
		merge(self, own, others);
		turn_take(self);
	}
}

bool turn_is_changed(uint64_t device, uint64_t number)
{
	return sharers(find_shared(device, number));
}

void turn_hold(struct thread *self)
{
	__atomic_add_fetch(&own_turn(self)->naps, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&own_turn(self)->busy, 1, __ATOMIC_SEQ_CST);
}

void turn_release(struct thread *self)
{
	own_turn(self)->busy--;
}

void turn_nudge(struct thread *self)
{
	__atomic_add_fetch(&own_turn(self)->word, 1, __ATOMIC_SEQ_CST);
}
