/*
 * Tasks that wait for long: who keeps them from going on, and does it still live? One that died
 * told nobody; one that sleeps in the kernel in its own turn waits for what only others can do.
 * Both are facts of its logical past, so going on without it is no matter of chance. When nobody is
 * in the race and all are parked for good, that is a deadlock of the program.
 */
#ifndef STET_GUEST_HOLDERS_H
#define STET_GUEST_HOLDERS_H

#include "guest/thread.h"

/* Sleeps until the task's word is not `word` any more, for a bounded time; the more `times` it did,
 * the longer. When that time is over, it looks at who holds it back, and answers false. */
bool holders_sleep(struct thread *self, uint32_t word, uint32_t times);

#endif
