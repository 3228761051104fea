#include "guest/stream_mask.h"

#include "guest/connections.h"
#include "guest/files.h"
#include "guest/sockets.h"

/* These have a bit for all of a kind; the others share the rest. */
enum { BIT_PACKETS, BIT_UNIX, BIT_OTHER, BITS_OF_KINDS };
#define BITS_SHARED (64 - BITS_OF_KINDS)

static uint64_t shared_bit(uint64_t identity)
{
	return 1ull << (BITS_OF_KINDS + identity * 0x9e3779b97f4a7c15ull % BITS_SHARED);
}

uint64_t stream_mask_of_port(uint16_t port)
{
	return shared_bit(port);
}

/* A connection has its own; a socket that waits for connections, its port's. */
static uint64_t tcp_mask(struct thread *self, int fd)
{
	const struct connection *connection = connection_of(self, (uint32_t)fd);
	uint16_t name[64];
	uint32_t length = sizeof(name);

	if (connection)
		return shared_bit(connection->key >> 20);
	return sys(__NR_getsockname, fd, name, &length) ? STREAMS_ALL
							: stream_mask_of_port(name[1]);
}

static uint64_t socket_mask(struct thread *self, int fd)
{
	switch (socket_kind(self, (uint32_t)fd)) {
	case SOCKET_TCP:
		return tcp_mask(self, fd);
	case SOCKET_INET:
		return 1ull << BIT_PACKETS;
	case SOCKET_UNIX_STREAM:
	case SOCKET_UNIX_PACKET:
		return 1ull << BIT_UNIX;
	default:
		return 1ull << BIT_OTHER;
	}
}

uint64_t stream_mask(struct thread *self, int fd)
{
	const struct file *file = file_of(self, (uint32_t)fd);
	struct kernel_stat st;

	if (file->kind != FILE_STREAM)
		return STREAMS_ALL; /* epoll and the like stand for others */
	if (file->socket)
		return socket_mask(self, fd);
	if (file->pipe && file->inode)
		return shared_bit(file->inode);
	return sys(__NR_fstat, fd, &st) ? STREAMS_ALL : shared_bit(st.ino);
}
