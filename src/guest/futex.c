#include "guest/futex.h"

#include "guest/futex_place.h"
#include "guest/futex_queue.h"
#include "guest/handlers.h"
#include "guest/task.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define PRIVATE	    128u
#define WALL_CLOCK  256u
#define COMMAND(op) ((op) & ~(PRIVATE | WALL_CLOCK))

enum {
	WAIT,
	WAKE,
	REQUEUE = 3,
	CMP_REQUEUE,
	WAKE_OP,
	LOCK_PI,
	UNLOCK_PI,
	TRYLOCK_PI,
	WAIT_BITSET,
	WAKE_BITSET,
	WAIT_REQUEUE_PI,
	CMP_REQUEUE_PI,
	COMMANDS,
};

#define ALL_BITS     0xffffffffu
#define TID_MASK     0x3fffffffu
#define OWNER_DIED   0x40000000u
#define HAS_WAITERS  0x80000000u
#define ROBUST_LIMIT 2048

/* A futex call: its arguments, and what they lead to. */
struct call {
	uint32_t command, value, count2, value3;
	uint64_t address, address2;
	bool wall;
	struct place place, place2;
	uint64_t deadline;
};

static uint32_t own_tid(const struct thread *self)
{
	return (uint32_t)task_at(self->task)->tid;
}

/* Ends the wait, however it ended. */
static long done(struct thread *self, long r)
{
	queue_leave(self);
	return r;
}

/* Has it been decided what the call answers, without a look at memory? */
static bool is_decided(const struct thread *self, const struct wait *wait, long *answer)
{
	if (queue_was_woken(self))
		*answer = 0;
	else if (self->pending)
		*answer = -RESTART;
	else if (queue_waits(self))
		*answer = wait->nothing;
	else
		return false;
	return true;
}

static long attempt_wait(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct call *call = (const struct call *)wait->args[0];
	uint32_t value;
	long r;

	(void)ns;
	if (is_decided(self, wait, &r))
		return r;
	if (copy_in(&value, call->address, sizeof(value)))
		return -EFAULT;
	if (value != call->value)
		return -EAGAIN;
	queue_enter(self, &call->place, call->command == WAIT ? ALL_BITS : call->value3,
		call->command == WAIT_REQUEUE_PI ? &call->place2 : NULL);
	return wait->nothing;
}

static long do_wait(struct thread *self, struct call *call)
{
	struct wait wait = {
		.attempt = attempt_wait,
		.deadline = call->deadline,
		.nothing = -ETIMEDOUT,
		.parks = PARK_FUTEX,
		.restarts = call->deadline == NEVER,
		.args = { (long)call },
	};

	if (call->command == WAIT_REQUEUE_PI)
		call->value3 = ALL_BITS;
	if (call->command == WAIT_BITSET && !call->value3)
		return -EINVAL;
	return done(self, wait_until(self, &wait));
}

static long do_wake(struct thread *self, struct call *call)
{
	uint32_t bits = call->command == WAKE ? ALL_BITS : call->value3, value;

	if (!bits)
		return -EINVAL;
	/* Private words are not looked at; shared ones must be there. */
	if (!call->place.own && copy_in(&value, call->address, sizeof(value)))
		return -EFAULT;
	return queue_wake(self, &call->place, call->value, bits);
}

static long do_requeue(struct thread *self, struct call *call)
{
	uint32_t value;
	long woken;

	if ((int32_t)call->value < 0 || (int32_t)call->count2 < 0)
		return -EINVAL;
	if (copy_in(&value, call->address, sizeof(value)))
		return -EFAULT;
	if (call->command == CMP_REQUEUE && value != call->value3)
		return -EAGAIN;
	woken = queue_wake(self, &call->place, call->value, ALL_BITS);
	return woken + queue_move(&call->place, &call->place2, call->count2);
}

/* As the kernel: 12 bits each, sign-extended. */
static int32_t signed12(uint32_t bits)
{
	return (int32_t)(bits << 20) >> 20;
}

static long apply(uint32_t encoded, uint64_t address, uint32_t *old)
{
	uint32_t kind = (encoded >> 28) & 7, new;
	int32_t operand = signed12(encoded >> 12);

	if (copy_in(old, address, sizeof(*old)))
		return -EFAULT;
	if (encoded >> 31)
		operand = (int32_t)(1u << (operand & 31));
	switch (kind) {
	case 0:
		new = (uint32_t)operand;
		break;
	case 1:
		new = *old + (uint32_t)operand;
		break;
	case 2:
		new = *old | (uint32_t)operand;
		break;
	case 3:
		new = *old & ~(uint32_t)operand;
		break;
	case 4:
		new = *old ^ (uint32_t)operand;
		break;
	default:
		return -ENOSYS;
	}
	return copy_out(address, &new, sizeof(new));
}

/* 1, 0 or -ENOSYS. */
static long compares(uint32_t encoded, uint32_t value)
{
	int32_t old = (int32_t)value, with = signed12(encoded);

	switch ((encoded >> 24) & 15) {
	case 0:
		return old == with;
	case 1:
		return old != with;
	case 2:
		return old < with;
	case 3:
		return old <= with;
	case 4:
		return old > with;
	case 5:
		return old >= with;
	default:
		return -ENOSYS;
	}
}

static long do_wake_op(struct thread *self, struct call *call)
{
	uint32_t old;
	long r = apply(call->value3, call->address2, &old), woken, second;

	if (r)
		return r;
	second = compares(call->value3, old);
	if (second < 0)
		return second;
	woken = queue_wake(self, &call->place, call->value, ALL_BITS);
	if (second)
		woken += queue_wake(self, &call->place2, call->count2, ALL_BITS);
	return woken;
}

/* The lock at `address` is free: who has this number gets it. */
static long lock_for(uint64_t address, uint32_t word, uint32_t tid, bool waiters)
{
	word = (word & OWNER_DIED) | tid | (waiters ? HAS_WAITERS : 0);
	return copy_out(address, &word, sizeof(word)) ? -EFAULT : 0;
}

/* 0: it is the caller's now; -EAGAIN: it is another's, who knows that somebody waits. */
static long try_lock(struct thread *self, const struct call *call)
{
	uint32_t word, tid = own_tid(self);

	if (copy_in(&word, call->address, sizeof(word)))
		return -EFAULT;
	if (!(word & TID_MASK))
		return lock_for(call->address, word, tid, word & HAS_WAITERS);
	if ((word & TID_MASK) == tid)
		return -EDEADLK;
	if (call->command == TRYLOCK_PI)
		return -EAGAIN;
	if (task_find(self, (int32_t)(word & TID_MASK)) == NO_TASK)
		return -ESRCH;
	word |= HAS_WAITERS;
	return copy_out(call->address, &word, sizeof(word)) ? -EFAULT : -EAGAIN;
}

static long attempt_lock(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct call *call = (const struct call *)wait->args[0];
	long r;

	(void)ns;
	if (is_decided(self, wait, &r))
		return r;
	r = try_lock(self, call);
	if (r != -EAGAIN || call->command == TRYLOCK_PI)
		return r;
	queue_enter(self, &call->place, ALL_BITS, NULL);
	return wait->nothing;
}

static long do_lock(struct thread *self, struct call *call)
{
	struct wait wait = {
		.attempt = attempt_lock,
		.deadline = call->deadline,
		.nothing = -ETIMEDOUT,
		.parks = PARK_FUTEX,
		.restarts = true,
		.args = { (long)call },
	};

	return done(self, wait_until(self, &wait));
}

/* The lock goes to who waits longest. */
static long give_lock(
	struct thread *self, const struct place *place, uint64_t address, uint32_t word)
{
	uint32_t next = queue_first(place);
	long r;

	if (next == NO_TASK) {
		word &= OWNER_DIED;
		return copy_out(address, &word, sizeof(word)) ? -EFAULT : 0;
	}
	r = lock_for(address, word, (uint32_t)task_at(next)->tid, queue_length(place) > 1);
	if (!r)
		queue_wake(self, place, 1, ALL_BITS);
	return r;
}

static long do_unlock(struct thread *self, struct call *call)
{
	uint32_t word;

	if (copy_in(&word, call->address, sizeof(word)))
		return -EFAULT;
	if ((word & TID_MASK) != own_tid(self))
		return -EPERM;
	return give_lock(self, &call->place, call->address, word & ~OWNER_DIED);
}

/* One waiter gets the lock, if it is free; the others wait for it there. */
static long do_requeue_pi(struct thread *self, struct call *call)
{
	uint32_t value, word, first = queue_first(&call->place);
	long moved = 0;

	if (call->value != 1)
		return -EINVAL;
	if (copy_in(&value, call->address, sizeof(value)) ||
		copy_in(&word, call->address2, sizeof(word)))
		return -EFAULT;
	if (value != call->value3)
		return -EAGAIN;
	if (first == NO_TASK)
		return 0;
	if (!queue_is_for(first, &call->place2))
		return -EINVAL;
	if (!(word & TID_MASK)) {
		if (lock_for(call->address2, word, (uint32_t)task_at(first)->tid, true))
			return -EFAULT;
		moved = queue_wake(self, &call->place, 1, ALL_BITS);
	} else {
		word |= HAS_WAITERS;
		if (copy_out(call->address2, &word, sizeof(word)))
			return -EFAULT;
	}
	return moved + queue_move(&call->place, &call->place2, call->count2 + (moved ? 0 : 1));
}

/* How each takes its arguments. */
enum limit {
	NO_LIMIT,
	SPAN,	  /* a span of time */
	TIME,	  /* a time, of either clock */
	WALL_TIME /* a time of the wall clock */
};
static const struct {
	long (*run)(struct thread *self, struct call *call);
	uint8_t limit;
	bool second;   /* it has a second address */
	bool may_wall; /* it knows FUTEX_CLOCK_REALTIME */
} commands[COMMANDS] = {
	[WAIT] = { do_wait, SPAN, false, false },
	[WAKE] = { do_wake, NO_LIMIT, false, false },
	[REQUEUE] = { do_requeue, NO_LIMIT, true, false },
	[CMP_REQUEUE] = { do_requeue, NO_LIMIT, true, false },
	[WAKE_OP] = { do_wake_op, NO_LIMIT, true, false },
	[LOCK_PI] = { do_lock, WALL_TIME, false, false },
	[UNLOCK_PI] = { do_unlock, NO_LIMIT, false, false },
	[TRYLOCK_PI] = { do_lock, NO_LIMIT, false, false },
	[WAIT_BITSET] = { do_wait, TIME, false, true },
	[WAKE_BITSET] = { do_wake, NO_LIMIT, false, false },
	[WAIT_REQUEUE_PI] = { do_wait, TIME, true, true },
	[CMP_REQUEUE_PI] = { do_requeue_pi, NO_LIMIT, true, false },
};

static long take_limit(struct thread *self, struct call *call)
{
	uint8_t limit = commands[call->command].limit;
	struct timespec64 time;

	call->deadline = NEVER;
	if (limit == NO_LIMIT || !argument(self, 3))
		return 0;
	if (copy_in(&time, argument(self, 3), sizeof(time)))
		return -EFAULT;
	if (!span_valid(&time))
		return -EINVAL;
	if (limit == SPAN)
		call->deadline = wait_deadline(self, span_ns(&time));
	else
		call->deadline = clock_when(
			call->wall || limit == WALL_TIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, &time);
	return 0;
}

static long take_places(struct thread *self, struct call *call, bool private)
{
	long r = place_at(self, call->address, private, &call->place);

	if (!r && commands[call->command].second)
		r = place_at(self, call->address2, private, &call->place2);
	return r;
}

long handle_futex(struct thread *self)
{
	uint32_t op = (uint32_t)argument(self, 1);
	struct call call = {
		.command = COMMAND(op),
		.address = argument(self, 0),
		.value = (uint32_t)argument(self, 2),
		.count2 = (uint32_t)argument(self, 3),
		.address2 = argument(self, 4),
		.value3 = (uint32_t)argument(self, 5),
		.wall = op & WALL_CLOCK,
	};
	long r;

	if (!threads_matter())
		return futex_natively(self);
	if (call.command >= COMMANDS || !commands[call.command].run ||
		(call.wall && !commands[call.command].may_wall))
		return -ENOSYS;
	r = take_limit(self, &call);
	if (!r)
		r = take_places(self, &call, op & PRIVATE);
	return r ? r : commands[call.command].run(self, &call);
}

/* A lock whose owner ends. */
static void abandon(struct thread *self, uint64_t address, bool inherits, bool pending)
{
	struct place place;
	uint32_t word, new;

	if ((address & 3) || copy_in(&word, address, sizeof(word)) ||
		place_at(self, address, false, &place))
		return;
	if (pending && !inherits && !word) {
		queue_wake(self, &place, 1, ALL_BITS);
		return;
	}
	if ((word & TID_MASK) != own_tid(self))
		return;
	if (inherits) {
		give_lock(self, &place, address, word | OWNER_DIED);
		return;
	}
	new = (word & HAS_WAITERS) | OWNER_DIED;
	copy_out(address, &new, sizeof(new));
	if (word & HAS_WAITERS)
		queue_wake(self, &place, 1, ALL_BITS);
}

/* The list is the program's: a broken one ends the walk. Bit 0 of a link marks a lock that inherits
 * priority. */
static void abandon_locks(struct thread *self)
{
	uint64_t head[3], at;

	if (!self->robust || copy_in(head, self->robust, sizeof(head)))
		return;
	at = head[0];
	for (int i = 0; i < ROBUST_LIMIT && (at & ~1ull) != self->robust; i++) {
		uint64_t next;

		if (copy_in(&next, at & ~1ull, sizeof(next)))
			return;
		if (at != head[2])
			abandon(self, (at & ~1ull) + head[1], at & 1, false);
		at = next;
	}
	if (head[2])
		abandon(self, (head[2] & ~1ull) + head[1], head[2] & 1, true);
}

void futex_thread_ends(struct thread *self)
{
	const uint32_t none = 0;
	struct place place;

	abandon_locks(self);
	self->robust = 0;
	sys(__NR_set_robust_list, 0, sizeof(uint64_t) * 3);
	if (!self->clear_tid || copy_out(self->clear_tid, &none, sizeof(none)) ||
		place_at(self, self->clear_tid, false, &place))
		return;
	queue_wake(self, &place, 1, ALL_BITS);
	self->clear_tid = 0;
}

long handle_set_tid_address(struct thread *self)
{
	if (!threads_matter())
		return pass_on(self);
	self->clear_tid = argument(self, 0);
	return (long)own_tid(self);
}

long handle_set_robust_list(struct thread *self)
{
	long r = pass_on(self);

	if (!r)
		self->robust = argument(self, 0);
	return r;
}
