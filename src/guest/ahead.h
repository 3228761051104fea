/*
 * Running ahead: operations on files need not wait for their turn. One that is not first is made at
 * once, and what it looks at and changes is recorded with its place in the order. An operation that
 * meets a recorded one with a later place, where one of them changes what the other looks at or
 * changes, proves a race between processes that do not wait for each other: the run is started
 * again in strict order. So what a run shows is the same as if all had waited; a race that is not
 * there costs time at worst, one that is missed would be chance. Uses the arena, the order and the
 * inodes.
 *
 * An operation that runs ahead records first, acts, and looks then whether a conflicting one has a
 * later place; one in its turn only looks, after it has acted. What is known only after the act
 * (what a name leads to) is recorded then, and the act is made again if anything was changed
 * meanwhile.
 */
#ifndef STET_GUEST_AHEAD_H
#define STET_GUEST_AHEAD_H

#include "guest/dispatch.h"
#include "guest/names.h"

/* Is the call one that may run ahead? A function of the program's own past. Such calls take no
 * signals, but every now and then. */
bool ahead_concerns(struct thread *self, uint32_t number);
/* Makes it, ahead or in turn. */
long ahead_run(struct thread *self, uint32_t number, call_handler *run);
/* Around any other call that is made in its turn. */
void ahead_begin(struct thread *self);
void ahead_end(struct thread *self, uint32_t number, long result);

/* For handlers, with the object at hand: before they act, as far as it is known then. */

/* The file is found by its name, or its content or attributes are looked at. */
void ahead_look(struct thread *self, struct inode *inode);
/* Its attributes change, or its names. */
void ahead_change(struct thread *self, struct inode *inode);
/* Its content does. */
void ahead_write(struct thread *self, struct inode *inode);
/* The names in a directory are looked at, or its times, which move with them. */
void ahead_list(struct thread *self, struct inode *directory);
/* They are about to be: the call need not be made again, which would go on behind them. */
void ahead_will_list(struct thread *self, struct inode *directory);
/* In turn: has nobody who is ahead changed the names in it? Ahead of the turn, the call is to be
 * made in turn if anybody has, or, in a directory that is `busy`, may soon. */
bool ahead_untouched(struct thread *self, struct inode *directory, bool busy);
/* Have names in it come or gone in this run? Then a look at all of them better waits. */
bool ahead_is_touched(const struct inode *directory);
/* The directory's times move, as with a name that comes or goes. */
void ahead_touch(struct thread *self, struct inode *directory);
/* A name comes or goes. */
void ahead_bind(struct thread *self, struct inode *directory, struct name name);
/* A directory is about to be made, or to get the name: paths back out of it ("name/..") will depend on it. */
void ahead_make(struct thread *self, struct name name);
/* Does the path lead through a directory of such a name and out again? */
bool ahead_returns(struct name name);
/* A directory, which is empty, goes. */
void ahead_remove(struct thread *self, struct inode *directory);
/* In turn: a directory that the run made has got this name, and is in the same directory as before.
 * Has anybody who is ahead had to do with what is below? */
void ahead_moved(struct thread *self, struct name name);
bool ahead_below(struct thread *self, struct name top);
/* ... with the file? */
bool ahead_is_met(struct thread *self, const struct inode *inode);
/* There is no such name in the directory. */
void ahead_absent(struct thread *self, struct inode *directory, const char *last);
/* The name leads nowhere: what is missing on the way there? `follow`: links, at the end too. */
void ahead_miss(struct thread *self, struct name name, bool follow);
/* The file becomes memory; its content may be looked at, or changed, at any time. */
void ahead_map(struct thread *self, struct inode *inode, bool writes);
/* Whatever anybody looks at may be changed, or the other way round. */
void ahead_all(struct thread *self);
/* What the call found is not to be understood: it is made in turn, or as by ahead_all. */
void ahead_uncertain(struct thread *self);
/* A file was made, and was seen by others before it had a number. */
void ahead_seen_early(struct thread *self);
/* The act was another one than recorded. */
void ahead_mistaken(struct thread *self);
/* In its turn, the calling task is about to become this program (`files`: what is mapped or read to
 * that end); and it has become it. */
void ahead_executes(struct thread *self, struct inode *file);
void ahead_program(struct thread *self);
/* The calling task has ended the one in `index`. */
void ahead_stops(struct thread *self, uint32_t index);

static inline bool ahead_now(const struct thread *self)
{
	return self->ahead.mode == AHEAD_NOW;
}

#endif
