/*
 * How much of what was sent over a TCP connection has not been read. The kernel would say when a
 * connection is full by the memory that it uses, which is a matter of chance; so guests count
 * bytes, in the arena, and stop before the kernel's buffers are full. A socket that is full is made
 * so for the kernel too, by its TCP_NOTSENT_LOWAT: then poll, epoll and all else tell of it as
 * always. All of this happens in turn.
 */
#ifndef STET_GUEST_CONNECTIONS_H
#define STET_GUEST_CONNECTIONS_H

#include "guest/thread.h"

/* The descriptor's TCP connection; NULL when there is none. file->side is the descriptor's end. */
struct connection *connection_of(struct thread *self, uint64_t fd);
/* It has just been made. */
void connection_begin(struct thread *self, uint64_t fd);
/* One of the descriptors of its end is closed. */
void connection_close(struct thread *self, uint64_t fd);

/* How many bytes can be sent now; when it is full, as many as one likes: the kernel says no. */
uint64_t connection_room(struct thread *self, uint64_t fd);
void connection_sent(struct thread *self, uint64_t fd, uint64_t bytes);
void connection_read(struct thread *self, uint64_t fd, uint64_t bytes);
/* There was nothing to read. */
void connection_empty(struct thread *self, uint64_t fd);

/* A new TCP socket. */
void connection_prepare(uint64_t fd);
/* Before a program looks which of its descriptors are ready: sockets that were full may have room
 * again. */
void connections_refresh(struct thread *self);

#endif
