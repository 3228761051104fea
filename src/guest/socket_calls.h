/*
 * Calls of sockets, in turn. Each is made without waiting; when there is nothing to do, or only a
 * part was done of what is to be done as a whole, the task is parked until others have changed
 * something. So what a call finds is what others did before it in logical time.
 */
#ifndef STET_GUEST_SOCKET_CALLS_H
#define STET_GUEST_SOCKET_CALLS_H

#include "guest/dispatch.h"

/* The call `number` on the socket in its first argument. `run` makes it as it is. */
long socket_call(struct thread *self, uint32_t number, call_handler *run);
/* Of `bytes` that are to be moved to the socket, how many there is room for; and what was moved
 * from one descriptor to another, of which either may be a socket. */
uint64_t socket_room(struct thread *self, uint64_t fd, uint64_t bytes);
void socket_moved(struct thread *self, uint64_t from, uint64_t to, uint64_t bytes);
/* Closes the descriptor, if it leads to a socket, such that the other end has got to know. */
long socket_close(struct thread *self, uint64_t fd);
/* Descriptors were closed, and some may have led to sockets. */
void sockets_closed(struct thread *self);
/* Closes all that the program has open. */
void sockets_close_all(struct thread *self);

#endif
