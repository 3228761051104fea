/*
 * What a futex's address means: a word of the process's own memory, or one of an object that
 * several processes have mapped, wherever each of them has it.
 */
#ifndef STET_GUEST_FUTEX_PLACE_H
#define STET_GUEST_FUTEX_PLACE_H

#include "guest/thread.h"

struct place {
	uint64_t object, offset;
	bool own;
};

/* 0, or -EINVAL for an address that is not aligned. */
long place_at(struct thread *self, uint64_t address, bool private, struct place *place);

#endif
