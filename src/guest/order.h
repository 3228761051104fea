/*
 * In which order with others a call is made: every call that is not local passes through here. It
 * is made in the task's turn; one that would wait for the other end of a stream, when that is
 * ready; and one that waits for what the guest does not know of, while others go on.
 */
#ifndef STET_GUEST_ORDER_H
#define STET_GUEST_ORDER_H

#include "guest/dispatch.h"

/* Makes the call by its handler. `native`: the handler is the kernel. */
long order_run(struct thread *self, uint32_t number, call_handler *run, bool native);
/* Must the call come by here? */
bool order_concerns(uint32_t number);
/* Does the call change what somebody watches? */
bool order_is_watched(uint32_t number);
/* Timers of the process are due. */
void order_timers(struct thread *self);
/* A program begins: descriptors were closed by the exec that others may wait for. */
void order_program(struct thread *self);
/* The calling thread is about to end, and with it the process if `all`: others are told. */
void order_end(struct thread *self, bool all);

#endif
