/*
 * Pipes and sockets: a call that would wait for the other end is not made before it can succeed, so
 * that what it finds there is what others did before it in logical time. Uses waits and turn.
 */
#ifndef STET_GUEST_STREAMS_H
#define STET_GUEST_STREAMS_H

#include "guest/dispatch.h"

enum stream_way { STREAM_IN = 1, STREAM_OUT = 4 }; /* POLLIN, POLLOUT */

/* Makes the call on the stream in its first argument once it is ready for it. */
long stream_call(struct thread *self, call_handler *call, enum stream_way way);
/* write, in pieces that fit into a pipe that has room at all. */
long stream_write(struct thread *self);

#endif
