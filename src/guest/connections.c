#include "guest/connections.h"

#include "arena/identity.h"
#include "guest/files.h"
#include "guest/process.h"
#include "guest/sockets.h"
#include "guest/turn.h"

#define TCP_NOTSENT_LOWAT 25
#define CAPACITY	  524288u /* bytes in one direction */
#define ROOM_AGAIN	  (CAPACITY / 2)
#define WEIGHT_LEAST	  16u /* of what is sent at once: each piece takes the kernel memory */
#define PROBES		  16u
#define SIDE_BOTH	  2 /* a socket that is connected to itself */

/* An end of a connection; addresses of IPv4 as IPv6 has them. */
struct end {
	uint8_t address[16];
	uint8_t port[2];
};

static bool end_of(long call, uint64_t fd, struct end *end)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	uint8_t name[128];
	uint32_t length = sizeof(name);

	if (sys(call, fd, name, &length))
		return false;
	memcpy(end->port, name + 2, sizeof(end->port));
	if (name[0] == AF_INET6) {
		memcpy(end->address, name + 8, sizeof(end->address));
	} else {
		memcpy(end->address, mapped, sizeof(mapped));
		memcpy(end->address + sizeof(mapped), name + 4, 4);
	}
	return true;
}

static uint64_t hash(uint64_t state, const struct end *end)
{
	const uint8_t *bytes = (const uint8_t *)end;

	for (size_t i = 0; i < sizeof(*end); i++)
		state = (state ^ bytes[i]) * 0x100000001b3ull;
	return state;
}

/* The connection's key, 0: not connected; and which end of it the descriptor has. */
static uint64_t key_of(uint64_t fd, uint8_t *side)
{
	const uint64_t start = 0xcbf29ce484222325ull;
	struct end own, other;
	int order;

	if (!end_of(__NR_getpeername, fd, &other) || !end_of(__NR_getsockname, fd, &own))
		return 0;
	order = memcmp(&own, &other, sizeof(own));
	*side = order == 0 ? SIDE_BOTH : order > 0;
	return (order > 0 ? hash(hash(start, &other), &own) : hash(hash(start, &own), &other)) | 1;
}

/* Of which an end is closed, or both, is not likely to be used any more. */
static uint32_t usefulness(const struct connection *connection)
{
	return connection->key ? 1u + (connection->closed != 3) + !connection->closed : 0;
}

static void forget(struct connection *connection)
{
	process.arena->sockets.full -= connection->full[0] + connection->full[1];
	*connection = (struct connection){ 0 };
}

/* Keys of a server's connections differ in few of their bits: those of the client's port. */
static struct connection *find(uint64_t key)
{
	struct connection *all = process.arena->connections, *best = NULL;
	uint64_t place = identity_mix(0, key);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct connection *at = &all[(place + i) % CONNECTIONS];

		if (at->key == key)
			return at;
		if (!best || usefulness(at) < usefulness(best))
			best = at;
	}
	forget(best);
	best->key = key;
	return best;
}

struct connection *connection_of(struct thread *self, uint64_t fd)
{
	struct connection *connection;
	struct file *file;
	uint64_t key;

	if (!process.arena->config.loopback || socket_kind(self, fd) != SOCKET_TCP)
		return NULL;
	file = file_of(self, fd);
	if (file->inode) {
		connection = &process.arena->connections[file->inode - 1];
		if ((uint32_t)(connection->key >> 32) == file->tag)
			return connection;
	}
	key = key_of(fd, &file->side);
	if (!key)
		return NULL;
	connection = find(key);
	file->inode = (uint32_t)(connection - process.arena->connections) + 1;
	file->tag = (uint32_t)(key >> 32);
	return connection;
}

void connection_begin(struct thread *self, uint64_t fd)
{
	struct connection *connection;
	uint64_t key;

	file_of(self, fd)->inode = 0;
	connection = connection_of(self, fd);
	if (!connection)
		return;
	key = connection->key;
	forget(connection);
	connection->key = key;
}

void connection_close(struct thread *self, uint64_t fd)
{
	const struct file *file = file_of(self, fd);

	if (file->socket == SOCKET_TCP && file->inode)
		process.arena->connections[file->inode - 1].closed |=
			(uint8_t)(file->side == SIDE_BOTH ? 3u : 1u << file->side);
}

static void set_writable(uint64_t fd, bool writable)
{
	const int32_t least = writable ? INT32_MAX : 0;

	sys(__NR_setsockopt, fd, SOL_TCP, TCP_NOTSENT_LOWAT, &least, sizeof(least));
}

void connection_prepare(uint64_t fd)
{
	set_writable(fd, true);
}

/* Where what this end sends is counted, and what it reads. */
static uint8_t outgoing(struct thread *self, uint64_t fd)
{
	return file_of(self, fd)->side == 1;
}

static uint8_t incoming(struct thread *self, uint64_t fd)
{
	return file_of(self, fd)->side == 0;
}

static uint32_t taken(const struct connection *connection, uint8_t side)
{
	return connection->queued[side] + connection->weight[side];
}

/* Full, or no longer so. */
static void set_full(struct connection *connection, uint8_t side, uint64_t fd, bool full)
{
	set_writable(fd, !full);
	connection->full[side] = full;
	process.arena->sockets.full += full ? 1u : ~0u;
}

static void refresh(struct connection *connection, uint8_t side, uint64_t fd)
{
	if (connection->full[side] && taken(connection, side) <= ROOM_AGAIN)
		set_full(connection, side, fd, false);
}

uint64_t connection_room(struct thread *self, uint64_t fd)
{
	struct connection *connection = connection_of(self, fd);
	uint8_t side = outgoing(self, fd);

	if (!connection)
		return UINT64_MAX;
	refresh(connection, side, fd);
	return connection->full[side] ? UINT64_MAX : CAPACITY - taken(connection, side);
}

void connection_sent(struct thread *self, uint64_t fd, uint64_t bytes)
{
	struct connection *connection = connection_of(self, fd);
	uint8_t side = outgoing(self, fd);

	if (!connection)
		return;
	connection->queued[side] += (uint32_t)bytes;
	if (bytes < WEIGHT_LEAST)
		connection->weight[side] += WEIGHT_LEAST - (uint32_t)bytes;
	if (taken(connection, side) >= CAPACITY && !connection->full[side])
		set_full(connection, side, fd, true);
}

void connection_read(struct thread *self, uint64_t fd, uint64_t bytes)
{
	struct connection *connection = connection_of(self, fd);
	uint32_t *queued, *weight;
	uint8_t side;

	if (!connection)
		return;
	side = incoming(self, fd);
	queued = &connection->queued[side];
	weight = &connection->weight[side];
	if (bytes >= *queued) {
		*queued = *weight = 0;
		return;
	}
	*weight -= (uint32_t)(*weight * bytes / *queued);
	*queued -= (uint32_t)bytes;
}

void connection_empty(struct thread *self, uint64_t fd)
{
	struct connection *connection = connection_of(self, fd);

	if (connection)
		connection_read(self, fd, UINT64_MAX);
}

void connections_refresh(struct thread *self)
{
	int fd = -1;

	if (!turns_matter() || !process.arena->sockets.full)
		return;
	while ((fd = file_next_tcp(self, fd + 1)) >= 0) {
		struct connection *connection = connection_of(self, (uint64_t)fd);

		if (connection)
			refresh(connection, outgoing(self, (uint64_t)fd), (uint64_t)fd);
	}
}
