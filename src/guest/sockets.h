/* What a socket is, and the names that the guest gives it. */
#ifndef STET_GUEST_SOCKETS_H
#define STET_GUEST_SOCKETS_H

#include "guest/sys.h"

enum { AF_UNSPEC = 0, AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16 };
enum { SOCK_STREAM = 1, SOCK_DGRAM = 2, SOCK_RAW = 3, SOCK_SEQPACKET = 5 };
#define SOCK_TYPES 0xfu /* the rest of a type are flags */

/* The kind of the socket behind a descriptor; SOCKET_NONE when it is no socket. */
enum socket_kind socket_kind(struct thread *self, uint64_t fd);
static inline bool socket_is_inet(enum socket_kind kind)
{
	return kind == SOCKET_TCP || kind == SOCKET_INET;
}
static inline bool socket_is_stream(enum socket_kind kind)
{
	return kind == SOCKET_TCP || kind == SOCKET_UNIX_STREAM;
}

/* A number that the kernel has of it; 0 when it has none. */
int32_t socket_option(uint64_t fd, long level, long option);

/* Gives it the name that the kernel would give it now. */
enum socket_use { USE_LISTEN, USE_CONNECT, USE_SEND };
void socket_name(struct thread *self, uint64_t fd, enum socket_use use);

#endif
