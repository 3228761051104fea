/* System V semaphores beside the calls themselves. */
#ifndef STET_GUEST_SEMAPHORES_H
#define STET_GUEST_SEMAPHORES_H

#include "guest/dispatch.h"

/* semctl, which `control` makes: in order with those who wait for the semaphores. */
long semaphores_control(struct thread *self, call_handler *control);
/* The process ends: what it is to undo is undone in its turn, not when the kernel comes to it. */
void semaphores_end(void);

#endif
