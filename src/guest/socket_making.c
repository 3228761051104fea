/* New sockets: which there are, and how much they hold. */
#include "guest/connections.h"
#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/sockets.h"
#include "guest/turn.h"

enum { SO_SNDBUF = 7, SO_RCVBUF = 8 };
enum { PROTOCOL_ICMP = 1, PROTOCOL_UDP = 17, PROTOCOL_ICMPV6 = 58 };
#define BUFFER_ASKED (SOCKET_BUFFER / 2) /* the kernel doubles it */

void socket_made(uint64_t fd)
{
	const int32_t bytes = BUFFER_ASKED;

	if (!process.arena->config.other_buffers)
		return;
	sys(__NR_setsockopt, fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	sys(__NR_setsockopt, fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

/* Protocols that not every kernel has are none that programs rely on. */
static bool is_known(uint32_t domain, uint32_t type, uint32_t protocol)
{
	if ((domain != AF_INET && domain != AF_INET6) || (type & SOCK_TYPES) == SOCK_RAW)
		return true;
	return protocol == 0 || protocol == PROTOCOL_ICMP || protocol == PROTOCOL_ICMPV6 ||
	       protocol == SOL_TCP || protocol == PROTOCOL_UDP;
}

long handle_socket(struct thread *self)
{
	uint32_t domain = (uint32_t)argument(self, 0), type = (uint32_t)argument(self, 1);
	long fd;

	if (!(process.relax & RELAX_NET) && !is_known(domain, type, (uint32_t)argument(self, 2)))
		return -EPROTONOSUPPORT;
	fd = pass_on(self);
	if (failed(fd) || !turns_matter())
		return fd;
	socket_made((uint64_t)fd);
	if (domain != AF_INET && domain != AF_INET6)
		return fd;
	process.arena->sockets.inet = 1;
	if ((type & SOCK_TYPES) == SOCK_STREAM && process.arena->config.loopback)
		connection_prepare((uint64_t)fd);
	return fd;
}

long handle_socketpair(struct thread *self)
{
	long r = pass_on(self);
	int32_t pair[2];

	if (r || !turns_matter() || copy_in(pair, argument(self, 3), sizeof(pair)))
		return r;
	socket_made((uint32_t)pair[0]);
	socket_made((uint32_t)pair[1]);
	return 0;
}
