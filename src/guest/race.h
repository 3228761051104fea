/*
 * The race: who may act next. Its runners are domains: a domain is a set of tasks that share
 * memory, of which one at a time runs, the holder; the others are ready, parked or away. A domain's
 * place is the quantum of logical time of its next event, and its birth. The one with the least
 * place is first: only its holder makes events that others can see.
 *
 * All of this lies in the arena and is changed behind one gate, which a task that dies inside does
 * not keep closed. Functions marked [gate] are for who has closed it. Uses the arena.
 */
#ifndef STET_GUEST_RACE_H
#define STET_GUEST_RACE_H

#include "guest/clock.h"
#include "guest/task.h"

static inline struct turn *turn_of(uint32_t index)
{
	return &process.arena->turns[index];
}

/* The domain of the task in `index`; NULL when it has left. */
struct domain *domain_of(uint32_t index);

/* The quantum of a logical time. */
uint64_t quantum_of(uint64_t time);

/* Is the task the holder of its domain? And is that the first one? Both can be asked at any
 * time. */
bool race_runs(uint32_t index);
bool race_is_first(uint32_t index);
/* The task that is first, or NO_TASK. */
uint32_t race_first(void);

/* Opening it wakes whom the changes concern. */
void gate_close(struct thread *self);
void gate_open(struct thread *self);

/* [gate] A task enters: in a domain of its own at the place `quantum`, or, ready, in another's. */
void race_enter_alone(struct thread *self, uint32_t index, uint64_t quantum);
void race_enter_with(struct thread *self, uint32_t index, struct domain *domain);
/* [gate] It leaves its domain; if it was the holder, another one is. */
void race_leave(struct thread *self, uint32_t index);
/* [gate] All of `from` belong to `to` from now on; the holder of `from` is ready. */
void race_merge(struct thread *self, struct domain *from, struct domain *to);

/* [gate] The domain's events are not before this quantum. */
void race_advance(struct domain *domain, uint64_t quantum);
/* [gate] The task, which does not run, is ready to, at `quantum` at the earliest. */
void race_ready(struct thread *self, uint32_t index, uint64_t quantum);
/* [gate] The holder does not run any more: another one of the domain does, or it leaves the race
 * until the first deadline of those that are parked. */
void race_hand_over(struct thread *self, struct domain *domain);
/* [gate] The holder goes on, but if others are ready, they are first: when they have waited for the
 * rest of its slice, and at once when they are ready by the time that has passed, or urgent
 * (manners.h). To be called when it has news: once in a quantum, when it is done with its slice, or
 * when it woke somebody urgent. */
bool race_has_news(const struct domain *domain);
void race_rotate(struct thread *self, struct domain *domain);
/* [gate] The task is the one of its domain that runs, whatever was before. */
void race_seize(struct thread *self, uint32_t index);
/* [gate] The process of the calling task, which runs, is stopped; that of the task `first` goes on,
 * at `quantum`. */
void race_stop(struct thread *self);
void race_continue(struct thread *self, uint32_t first, uint64_t quantum);

/* The first quantum at which a domain of this birth acts behind what has been done already; behind
 * the next event of the task `from`. */
uint64_t race_behind_all(uint64_t birth);
uint64_t race_behind(uint32_t from, uint64_t birth);

#endif
