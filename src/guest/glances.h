/*
 * Threads that wait look at others by files of /proc, and need a descriptor for that, for a moment,
 * in a table that they share with a thread that runs. It must not be there while that one, or a
 * child that it makes, could come upon its number. So either waits, or does not look, while the
 * other is about it.
 */
#ifndef STET_GUEST_GLANCES_H
#define STET_GUEST_GLANCES_H

#include "guest/thread.h"

/* May the calling thread open a file for a moment? If so, it says when that is over. */
bool glance_begin(struct thread *self);
void glance_end(struct thread *self);

/* Is the call one of those that must not come upon such a descriptor? */
bool glances_concern(uint32_t number);
/* Nobody looks from now on, until that is over. Not to be kept while one waits. */
void glances_hold(struct thread *self);
void glances_release(struct thread *self);
/* In a child that has copies of the table and of all this. */
void glances_forget(struct thread *self);

#endif
