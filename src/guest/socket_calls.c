#include "guest/socket_calls.h"

#include "guest/connections.h"
#include "guest/files.h"
#include "guest/nonblocking.h"
#include "guest/packets.h"
#include "guest/socket_messages.h"
#include "guest/sockets.h"
#include "guest/transfers.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define SO_ACCEPTCONN 30

/* Nothing at all is neither read nor waited for; what is wrong with a vector, the kernel says. */
static long transfer_vector(struct thread *self, bool sends, call_handler *run)
{
	struct transfer transfer = transfer_plain(self, sends);
	int64_t bytes = parts_bytes(transfer.base, transfer.total);

	if (bytes <= 0 && !(sends && bytes == 0))
		return run(self);
	transfer.parts = transfer.base;
	transfer.count = transfer.total;
	transfer.total = (uint64_t)bytes;
	return transfer_run(self, &transfer);
}

static long transfer_buffer(struct thread *self, bool sends, bool named, call_handler *run)
{
	struct transfer transfer = transfer_plain(self, sends);

	if (!named && !sends && !transfer.total)
		return run(self);
	if (named) {
		transfer.flags = (uint32_t)argument(self, 3);
		transfer.name = argument(self, 4);
		transfer.name_bytes = argument(self, 5);
	}
	return transfer_run(self, &transfer);
}

static long transfer_message(struct thread *self, uint64_t place, uint32_t flags, bool sends)
{
	struct transfer transfer = transfer_plain(self, sends);

	transfer.flags = flags;
	transfer.base = transfer.total = 0;
	transfer_take_message(&transfer, place);
	return transfer_run(self, &transfer);
}

/* One after the other, until one fails; then what was done counts. */
static long send_row(struct thread *self)
{
	uint64_t place = argument(self, 1), count = (uint32_t)argument(self, 2), i;
	uint32_t flags = (uint32_t)argument(self, 3);
	long r = 0;

	if (count > PARTS_MAX)
		count = PARTS_MAX;
	for (i = 0; i < count; i++, place += MESSAGE_IN_ROW) {
		uint32_t sent;

		r = transfer_message(self, place, flags, true);
		if (r < 0)
			break;
		sent = (uint32_t)r;
		r = copy_out(place + sizeof(struct message), &sent, sizeof(sent));
		if (r)
			break;
	}
	return i ? (long)i : r;
}

static long receive_one(struct thread *self, struct transfer *transfer, uint64_t place)
{
	uint32_t got;
	long r;

	transfer->done = transfer->total = transfer->deadline = 0;
	transfer_take_message(transfer, place);
	r = transfer_run(self, transfer);
	if (r < 0)
		return r;
	got = (uint32_t)r;
	return copy_out(place + sizeof(struct message), &got, sizeof(got));
}

/* Until as many have come as are wanted, one fails, or the time is over: which is looked at after
 * each message only, as the kernel does it. */
static long receive_until(
	struct thread *self, struct transfer *transfer, uint64_t count, uint64_t until)
{
	uint64_t place = transfer->base, i;
	bool only_first = transfer->flags & MSG_WAITFORONE;
	long r = 0;

	transfer->base = 0;
	transfer->flags &= ~MSG_WAITFORONE;
	for (i = 0; i < count && (!i || clock_now(self) < until); i++, place += MESSAGE_IN_ROW) {
		r = receive_one(self, transfer, place);
		if (r)
			break;
		if (only_first)
			transfer->flags |= MSG_DONTWAIT;
	}
	return i ? (long)i : r;
}

static long receive_row(struct thread *self)
{
	struct transfer transfer = transfer_plain(self, false);
	uint64_t limit = argument(self, 4), until = NEVER, now;
	struct timespec64 span;
	long r;

	if (limit && copy_in(&span, limit, sizeof(span)))
		return -EFAULT;
	if (limit && !span_valid(&span))
		return -EINVAL;
	if (limit)
		until = wait_deadline(self, span_ns(&span));
	transfer.flags = (uint32_t)argument(self, 3);
	r = receive_until(self, &transfer, (uint32_t)argument(self, 2), until);
	if (limit && r != -RESTART) {
		now = clock_now(self);
		span = span_of(until > now ? until - now : 0);
		copy_out(limit, &span, sizeof(span));
	}
	return r;
}

static long accept_some(struct thread *self, struct transfer *transfer)
{
	if (!descriptor_ready(transfer->fd, POLLIN) &&
		socket_option(transfer->fd, SOL_SOCKET, SO_ACCEPTCONN))
		return -EAGAIN;
	return pass_on(self);
}

static long accept_one(struct thread *self)
{
	struct transfer transfer = {
		.fd = (uint32_t)argument(self, 0),
		.attempt = accept_some,
	};
	long fd;

	fd = transfer_once(self, &transfer);
	if (!failed(fd) && socket_kind(self, transfer.fd) == SOCKET_UNIX_STREAM)
		socket_made((uint64_t)fd);
	return fd;
}

/* The call itself never waits: whoever shares the socket cannot see it in this state, as it is over
 * before the turn is. */
static long connect_at_once(struct thread *self, uint64_t fd)
{
	long flags = sys(__NR_fcntl, fd, F_GETFL), r;
	bool waits = !failed(flags) && !(flags & O_NONBLOCK);

	if (waits)
		sys(__NR_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	r = pass_on(self);
	if (r == -EINPROGRESS) {
		packets_settle_connect(self, (int)fd);
		if (waits) /* what became of it */
			r = pass_on(self);
	}
	if (waits)
		sys(__NR_fcntl, fd, F_SETFL, flags);
	return r == -EALREADY && waits ? -ETIMEDOUT : r;
}

static long connect_some(struct thread *self, struct transfer *transfer)
{
	enum socket_kind kind = socket_kind(self, transfer->fd);
	long r = connect_at_once(self, transfer->fd);

	if (kind == SOCKET_TCP && r != -RESTART) {
		packets_settle(self);
		connection_begin(self, transfer->fd);
	}
	return r;
}

/* Connecting to no family at all undoes a connection. */
static bool wants_name(struct thread *self)
{
	uint16_t family = AF_UNSPEC;

	return !(process.relax & RELAX_NET) && (uint32_t)argument(self, 2) >= sizeof(family) &&
	       copy_in(&family, argument(self, 1), sizeof(family)) == 0 && family != AF_UNSPEC;
}

static long connect_one(struct thread *self)
{
	struct transfer transfer = {
		.fd = (uint32_t)argument(self, 0),
		.sends = true,
		.connects = true,
		.attempt = connect_some,
	};

	/* Only these can find no room at the other end. */
	if (socket_kind(self, transfer.fd) < SOCKET_UNIX_STREAM)
		transfer.flags = MSG_DONTWAIT;
	if (wants_name(self))
		socket_name(self, transfer.fd, USE_CONNECT);
	return transfer_once(self, &transfer);
}

static void name_sender(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct file *file = file_of(self, fd);

	if (file->settled || (process.relax & RELAX_NET))
		return;
	socket_name(self, fd, USE_SEND);
	file->settled = true;
}

long socket_call(struct thread *self, uint32_t number, call_handler *run)
{
	switch (number) {
	case __NR_read:
		return transfer_buffer(self, false, false, run);
	case __NR_recvfrom:
		return transfer_buffer(self, false, true, run);
	case __NR_readv:
		return transfer_vector(self, false, run);
	case __NR_recvmsg:
		return transfer_message(
			self, argument(self, 1), (uint32_t)argument(self, 2), false);
	case __NR_recvmmsg:
		return receive_row(self);
	case __NR_accept:
	case __NR_accept4:
		return accept_one(self);
	case __NR_connect:
		return connect_one(self);
	case __NR_write:
		return transfer_buffer(self, true, false, run);
	case __NR_writev:
		return transfer_vector(self, true, run);
	}
	name_sender(self);
	switch (number) {
	case __NR_sendto:
		return transfer_buffer(self, true, true, run);
	case __NR_sendmsg:
		return transfer_message(self, argument(self, 1), (uint32_t)argument(self, 2), true);
	case __NR_sendmmsg:
		return send_row(self);
	default:
		return run(self);
	}
}

uint64_t socket_room(struct thread *self, uint64_t fd, uint64_t bytes)
{
	uint64_t room = turns_matter() ? connection_room(self, fd) : UINT64_MAX;

	return bytes < room ? bytes : room;
}

void socket_moved(struct thread *self, uint64_t from, uint64_t to, uint64_t bytes)
{
	if (!turns_matter())
		return;
	if (file_of(self, to)->socket)
		transfer_sent(self, to, bytes);
	if (file_of(self, from)->socket)
		connection_read(self, from, bytes);
}

static bool may_be_inet(uint8_t kind)
{
	return kind == SOCKET_NEW ? process.arena->sockets.inet : socket_is_inet(kind);
}

long socket_close(struct thread *self, uint64_t fd)
{
	bool inet = may_be_inet(file_of(self, fd)->socket);
	long r;

	connection_close(self, fd);
	file_forget(fd, fd);
	r = pass_on(self);
	if (inet && r != -RESTART)
		packets_settle(self);
	return r;
}

void sockets_closed(struct thread *self)
{
	if (turns_matter() && process.arena->sockets.inet)
		packets_settle(self);
}

void sockets_close_all(struct thread *self)
{
	sys(__NR_close_range, 0, HIDDEN_FD_FIRST - 1, 0);
	sockets_closed(self);
}
