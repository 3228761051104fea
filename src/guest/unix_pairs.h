/*
 * Which two UNIX stream sockets are connected with each other: the kernel tells by their numbers. A
 * pair has a number of its own, in the order in which they were asked for, which does not depend on
 * those.
 */
#ifndef STET_GUEST_UNIX_PAIRS_H
#define STET_GUEST_UNIX_PAIRS_H

#include "guest/thread.h"

/* The number of the pair that the descriptor's socket belongs to, from 1 on; 0: it is not known, or
 * there is none yet. In turn. */
uint32_t unix_pair(struct thread *self, int fd);

#endif
