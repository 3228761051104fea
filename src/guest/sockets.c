/*
 * Names that the kernel would choose for sockets: ephemeral ports, abstract names of UNIX sockets,
 * port ids of netlink sockets. The guest chooses them, from counters in the arena, and binds the
 * socket to them just before the kernel would; so all else, getsockname included, is as it is.
 */
#include "guest/connections.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/packets.h"
#include "guest/process.h"
#include "guest/sockets.h"
#include "guest/task.h"
#include "guest/turn.h"

#define SO_TYPE			3
#define SO_PASSCRED		16
#define SO_PROTOCOL		38
#define SO_DOMAIN		39
#define IP_BIND_ADDRESS_NO_PORT 24

/* As the kernel's ip_local_port_range after boot. */
#define PORT_FIRST 32768u
#define PORT_LAST  60999u
#define PORTS	   (PORT_LAST - PORT_FIRST + 1)
#define UNIX_NAMES 0x100000u /* five hexadecimal digits */
/* The kernel counts port ids that are no process's number down from here. */
#define NETLINK_FIRST (-4097)
#define NETLINK_IDS   0x100000u

/* Any address of a socket that matters here. */
union address {
	uint16_t family;
	struct {
		uint16_t family, port; /* big-endian */
		uint8_t rest[24];
	} inet;
	struct {
		uint16_t family, pad;
		int32_t id;
		uint32_t groups;
	} netlink;
	struct {
		uint16_t family;
		char name[6];
	} local;
	uint8_t room[128];
};

/* As many connections as the kernel lets wait (somaxconn). */
#define BACKLOG 4096
enum { PROTOCOL_ICMP = 1, PROTOCOL_UDP = 17, PROTOCOL_ICMPV6 = 58 };
enum { INET_LEAST = 16, INET6_LEAST = 24, NETLINK_LEAST = 12, FAMILY_ONLY = 2 };

struct name {
	union address address;
	uint32_t length;
};

static long name_of(uint64_t fd, struct name *name)
{
	name->length = sizeof(name->address);
	return sys(__NR_getsockname, fd, &name->address, &name->length);
}

int32_t socket_option(uint64_t fd, long level, long option)
{
	int32_t value = 0;
	uint32_t length = sizeof(value);

	return sys(__NR_getsockopt, fd, level, option, &value, &length) ? 0 : value;
}

/* The n-th choice, as part of the address. */
typedef void chooser(struct name *name, uint32_t n);

static void choose_port(struct name *name, uint32_t n)
{
	name->address.inet.port = __builtin_bswap16((uint16_t)(PORT_FIRST + n % PORTS));
}

static void choose_local(struct name *name, uint32_t n)
{
	name->address.local.name[0] = 0;
	for (int i = 5; i > 0; i--, n >>= 4)
		name->address.local.name[i] = "0123456789abcdef"[n & 15];
	name->length = sizeof(name->address.local);
}

static void choose_netlink(struct name *name, uint32_t n)
{
	name->address.netlink.id = NETLINK_FIRST - (int32_t)(n % NETLINK_IDS);
}

/* The next choice that nobody else has. */
static long bind_next(
	uint64_t fd, struct name *name, chooser *choose, uint32_t *counter, uint32_t choices)
{
	long r = -EADDRINUSE;

	for (uint32_t tried = 0; r == -EADDRINUSE && tried < choices; tried++) {
		choose(name, __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED));
		r = sys(__NR_bind, fd, &name->address, name->length);
	}
	return r;
}

static long bind_port(uint64_t fd, struct name *name)
{
	return bind_next(fd, name, choose_port, &process.arena->sockets.port, PORTS);
}

static long bind_local(uint64_t fd)
{
	struct name name = { .address.family = AF_UNIX };

	return bind_next(fd, &name, choose_local, &process.arena->sockets.local, UNIX_NAMES);
}

/* A process's first socket gets the process's number. */
static long bind_netlink(struct thread *self, uint64_t fd, struct name *name)
{
	long r;

	name->address.netlink.id = task_at(task_at(self->task)->process)->pid;
	r = sys(__NR_bind, fd, &name->address, name->length);
	return r == -EADDRINUSE ? bind_next(fd, name, choose_netlink,
					  &process.arena->sockets.netlink, NETLINK_IDS)
				: r;
}

static bool is_inet(uint16_t family)
{
	return family == AF_INET || family == AF_INET6;
}

/* UNIX sockets that tell who sends get a name that can be told, when the kernel has a use for
 * it. */
static bool wants_local(uint64_t fd, const struct name *name, enum socket_use use)
{
	return use != USE_LISTEN && name->length <= FAMILY_ONLY &&
	       socket_option(fd, SOL_SOCKET, SO_PASSCRED) &&
	       (use == USE_CONNECT || socket_option(fd, SOL_SOCKET, SO_TYPE) != SOCK_STREAM);
}

void socket_name(struct thread *self, uint64_t fd, enum socket_use use)
{
	struct name name;

	if (name_of(fd, &name))
		return; /* the kernel will say what is wrong */
	switch (name.address.family) {
	case AF_INET:
	case AF_INET6:
		if (!name.address.inet.port)
			bind_port(fd, &name);
		break;
	case AF_NETLINK:
		if (!name.address.netlink.id)
			bind_netlink(self, fd, &name);
		break;
	case AF_UNIX:
		if (wants_local(fd, &name, use))
			bind_local(fd);
		break;
	}
}

static enum socket_kind kind_of(uint64_t fd)
{
	int32_t type = socket_option(fd, SOL_SOCKET, SO_TYPE);

	switch (socket_option(fd, SOL_SOCKET, SO_DOMAIN)) {
	case AF_INET:
	case AF_INET6:
		return type == SOCK_STREAM && socket_option(fd, SOL_SOCKET, SO_PROTOCOL) == SOL_TCP
			       ? SOCKET_TCP
			       : SOCKET_INET;
	case AF_UNIX:
		return type == SOCK_STREAM ? SOCKET_UNIX_STREAM : SOCKET_UNIX_PACKET;
	default:
		return SOCKET_OTHER;
	}
}

enum socket_kind socket_kind(struct thread *self, uint64_t fd)
{
	struct file *file = file_of(self, fd);

	if (file->socket == SOCKET_NEW)
		file->socket = (uint8_t)kind_of(fd);
	return file->socket;
}

static bool wants_port(const struct name *name, uint64_t fd)
{
	uint16_t family = name->address.family;

	return !name->address.inet.port &&
	       (((family == AF_INET || family == AF_UNSPEC) && name->length >= INET_LEAST) ||
		       (family == AF_INET6 && name->length >= INET6_LEAST)) &&
	       !socket_option(fd, SOL_IP, IP_BIND_ADDRESS_NO_PORT);
}

static bool wants_id(const struct name *asked, const struct name *had)
{
	return asked->address.family == AF_NETLINK && asked->length >= NETLINK_LEAST &&
	       !asked->address.netlink.id && !had->address.netlink.id;
}

long handle_bind(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct name asked = { .length = (uint32_t)argument(self, 2) }, had;

	if (asked.length < FAMILY_ONLY || asked.length > sizeof(asked.address) ||
		copy_in(&asked.address, argument(self, 1), asked.length) || descriptor_hidden(fd) ||
		name_of(fd, &had))
		return pass_on(self);
	if (is_inet(had.address.family) && wants_port(&asked, fd))
		return bind_port(fd, &asked);
	if (had.address.family == AF_NETLINK && wants_id(&asked, &had))
		return bind_netlink(self, fd, &asked);
	if (had.address.family == AF_UNIX && asked.address.family == AF_UNIX &&
		asked.length == FAMILY_ONLY && had.length <= FAMILY_ONLY)
		return bind_local(fd);
	return pass_on(self);
}

/* Connecting to no family at all undoes a connection. */
long handle_connect(struct thread *self)
{
	uint16_t family = AF_UNSPEC;

	if ((uint32_t)argument(self, 2) >= FAMILY_ONLY &&
		copy_in(&family, argument(self, 1), sizeof(family)) == 0 && family != AF_UNSPEC)
		socket_name(self, (uint32_t)argument(self, 0), USE_CONNECT);
	return pass_on(self);
}

/* However many connections are to wait: when there is no room for one more, the kernel lets it try
 * again after a second or three, in real time. */
long handle_listen(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);

	if (!(process.relax & RELAX_NET))
		socket_name(self, fd, USE_LISTEN);
	return turns_matter() && socket_kind(self, fd) == SOCKET_TCP
		       ? sys_window(__NR_listen, fd, BACKLOG)
		       : pass_on(self);
}

/* Protocols that not every kernel has are none that programs rely on. */
static bool is_known(uint32_t domain, uint32_t type, uint32_t protocol)
{
	if (!is_inet((uint16_t)domain) || (type & SOCK_TYPES) == SOCK_RAW)
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
	if (failed(fd) || !turns_matter() || (domain != AF_INET && domain != AF_INET6))
		return fd;
	process.arena->sockets.inet = 1;
	if ((type & SOCK_TYPES) == SOCK_STREAM && process.arena->config.loopback)
		connection_prepare((uint64_t)fd);
	return fd;
}

/* The other end is told of it before anybody else acts. */
long handle_shutdown(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	long r = pass_on(self);

	if (r == 0 && turns_matter() && socket_kind(self, fd) == SOCKET_TCP)
		packets_settle_tcp(self, (int)fd);
	return r;
}

/* Once for each descriptor: afterwards a call costs no more than a look. */
long handle_send(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct file *file = file_of(self, fd);

	if (file->kind == FILE_STREAM && !file->settled) {
		socket_name(self, fd, USE_SEND);
		file->settled = true;
	}
	return pass_on(self);
}
