/*
 * What was sent over the loopback interface has arrived. The kernel delivers it on the sender's own
 * CPU before the call is over, nearly always; when that CPU has much to do, later. A task that
 * changed what others can see waits for it in its turn.
 */
#ifndef STET_GUEST_PACKETS_H
#define STET_GUEST_PACKETS_H

#include "guest/thread.h"

/* All that this TCP socket sent is at its other end, or its connection is over. */
void packets_settle_tcp(struct thread *self, int fd);
/* All that anybody sent is where it belongs. */
void packets_settle(struct thread *self);
/* A connection that is under way is made, or refused. */
void packets_settle_connect(struct thread *self, int fd);

#endif
