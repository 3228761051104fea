/* System V queues of messages beside the calls themselves. */
#ifndef STET_GUEST_MESSAGES_H
#define STET_GUEST_MESSAGES_H

#include "guest/dispatch.h"

/* msgctl, which `control` makes: in order with those who wait for the queue. */
long messages_control(struct thread *self, call_handler *control);

#endif
