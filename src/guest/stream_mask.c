#include "guest/stream_mask.h"

#include "guest/connections.h"
#include "guest/files.h"
#include "guest/inodes.h"
#include "guest/sockets.h"
#include "guest/unix_pairs.h"

#define SO_ACCEPTCONN 30

/* These have a bit for all of a kind; the others share the rest. */
enum {
	BIT_PACKETS,   /* over the loopback interface */
	BIT_DATAGRAMS, /* of UNIX sockets */
	BIT_UNIX_NEW,  /* UNIX sockets of which the other end is not known yet */
	BIT_LISTENERS, /* TCP sockets that wait for connections */
	BIT_OTHER,
	BITS_OF_KINDS
};
#define BITS_SHARED (64 - BITS_OF_KINDS)

static uint64_t kind_bit(int bit)
{
	return 1ull << bit;
}

static uint64_t shared_bit(uint64_t identity)
{
	return 1ull << (BITS_OF_KINDS + (identity * 0x9e3779b97f4a7c15ull >> 32) % BITS_SHARED);
}

static uint64_t tcp_mask(struct thread *self, int fd)
{
	const struct connection *connection = connection_of(self, (uint32_t)fd);

	if (connection)
		return shared_bit(connection->key);
	return socket_option((uint32_t)fd, SOL_SOCKET, SO_ACCEPTCONN) ? kind_bit(BIT_LISTENERS)
								      : STREAMS_ALL;
}

static uint64_t socket_mask(struct thread *self, int fd)
{
	uint32_t pair;

	switch (socket_kind(self, (uint32_t)fd)) {
	case SOCKET_TCP:
		return tcp_mask(self, fd);
	case SOCKET_INET:
		return kind_bit(BIT_PACKETS);
	case SOCKET_UNIX_STREAM:
		pair = unix_pair(self, fd);
		return pair ? shared_bit(pair) : kind_bit(BIT_UNIX_NEW);
	case SOCKET_UNIX_PACKET:
		return kind_bit(BIT_DATAGRAMS);
	default:
		return kind_bit(BIT_OTHER);
	}
}

/* The kernel's numbers are a matter of chance, and so are places in the table, where those who run
 * ahead put files; the order in which pipes are first used, which is in turn, is not. */
static uint32_t pipe_number(struct inode *pipe)
{
	if (!pipe->stream)
		pipe->stream = ++process.arena->sockets.pipes;
	return pipe->stream;
}

static uint64_t pipe_mask(struct thread *self, int fd)
{
	struct file *file = file_of(self, (uint32_t)fd);
	struct kernel_stat st;

	if (!file->tag && sys(__NR_fstat, fd, &st) == 0)
		file->tag = pipe_number(inode_seen(self, &st));
	return file->tag ? shared_bit(file->tag) : STREAMS_ALL;
}

uint64_t stream_mask(struct thread *self, int fd)
{
	const struct file *file = file_of(self, (uint32_t)fd);

	if (file->kind != FILE_STREAM)
		return STREAMS_ALL; /* epoll and the like stand for others */
	return file->socket ? socket_mask(self, fd) : pipe_mask(self, fd);
}

/* Who does not know its other end may wait as one who does not, or be waited for by one who
 * does. */
uint64_t stream_mask_changed(struct thread *self, int fd)
{
	uint64_t mask = stream_mask(self, fd);

	if (file_of(self, (uint32_t)fd)->socket != SOCKET_UNIX_STREAM)
		return mask;
	return mask == kind_bit(BIT_UNIX_NEW) ? STREAMS_ALL : mask | kind_bit(BIT_UNIX_NEW);
}
