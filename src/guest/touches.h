/*
 * The times of directories, as of a place in the order: they move with every name that comes or
 * goes, and tasks that run ahead make such changes in any order. The latest ones are kept with
 * their places, so that who looks in his turn sees what he would if nobody were ahead. Uses the
 * arena.
 */
#ifndef STET_GUEST_TOUCHES_H
#define STET_GUEST_TOUCHES_H

#include "guest/inodes.h"

/* A name in it came or went, at this place; called before the directory's times are moved. */
void touches_add(const struct inode *directory, uint64_t place, int64_t time);
/* Its times were set, by a call in its turn, with nobody ahead. */
void touches_reset(const struct inode *directory);
/* The times as of the place; false when that is not known any more. */
bool touches_before(const struct inode *directory, uint64_t place, struct directory_times *times);

#endif
