/*
 * The times of directories, as of a place in the order: they move with every name that comes or
 * goes, and tasks that run ahead make such changes in any order. The latest ones are kept with
 * their places, so that who looks in his turn sees what he would if nobody were ahead. Uses the
 * arena.
 */
#ifndef STET_GUEST_TOUCHES_H
#define STET_GUEST_TOUCHES_H

#include "guest/inodes.h"

/* Of times that an event leaves as they are. */
#define TOUCHES_NOT INT64_MIN

/* A name in it came or went, at this place, or its ctime alone moves; called before the directory's
 * times are moved. */
void touches_add(const struct inode *directory, uint64_t place, struct directory_times times);
/* Its times were set, by a call in its turn, with nobody ahead who moved them. */
void touches_reset(const struct inode *directory);
/* The times as of the place; false when that is not known any more. */
bool touches_before(const struct inode *directory, uint64_t place, struct directory_times *times);

#endif
