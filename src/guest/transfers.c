#include "guest/transfers.h"

#include "guest/connections.h"
#include "guest/dispatch.h"
#include "guest/nonblocking.h"
#include "guest/packets.h"
#include "guest/socket_messages.h"
#include "guest/sockets.h"
#include "guest/stream_mask.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define POLLRDHUP   0x2000

/* How long the program lets the socket wait; ns, 0: for ever. */
static uint64_t patience(uint64_t fd, long option)
{
	int64_t span[2] = { 0, 0 };
	uint32_t length = sizeof(span);

	if (sys(__NR_getsockopt, fd, SOL_SOCKET, option, span, &length))
		return 0;
	return (uint64_t)span[0] * NSEC_PER_SEC + (uint64_t)span[1] * 1000;
}

/* Real time passes, when it is to. */
static void wait_really(uint64_t fd, short events, uint64_t ns)
{
	const struct timespec64 limit = span_of(ns);
	struct kernel_poll poll = { (int32_t)fd, events, 0 };

	sys_window(__NR_ppoll, &poll, 1, ns == NEVER ? NULL : &limit, NULL, 8);
}

static long attempt_transfer(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct transfer *transfer = (struct transfer *)wait->args[0];
	long r;

	if (self->pending)
		return -RESTART;
	if (ns)
		wait_really(transfer->fd, transfer->sends ? POLLOUT : POLLIN, ns);
	r = transfer->attempt(self, transfer);
	if (r != -RESTART && r != -EAGAIN)
		turn_wake_streams(self->task,
			transfer->connects ? STREAMS_ALL
					   : stream_mask_changed(self, (int)transfer->fd));
	return r;
}

/* Once, and again when others have made it possible. */
long transfer_once(struct thread *self, struct transfer *transfer)
{
	struct wait wait = {
		.attempt = attempt_transfer,
		.nothing = -EAGAIN,
		.parks = PARK_STREAM,
		.deadline = NEVER,
		.args = { (long)transfer },
	};
	long r = attempt_transfer(self, &wait, 0);

	if (r != -EAGAIN || (transfer->flags & (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB)) ||
		!descriptor_blocks(transfer->fd))
		return r;
	if (!transfer->deadline) {
		uint64_t ns = patience(transfer->fd, transfer->sends ? SO_SNDTIMEO : SO_RCVTIMEO);

		transfer->limited = ns;
		transfer->deadline = ns ? wait_deadline(self, ns) : NEVER;
	}
	wait.deadline = transfer->deadline;
	wait.restarts = !transfer->limited;
	wait.streams = stream_mask(self, (int)transfer->fd);
	return wait_until(self, &wait);
}

static long transfer_all(struct thread *self, struct transfer *transfer)
{
	long r;

	do {
		r = transfer_once(self, transfer);
		if (r > 0)
			transfer->done += (uint64_t)r;
	} while (r > 0 && transfer->whole && transfer->done < transfer->total && !self->pending);
	return transfer->done ? (long)transfer->done : r;
}

static uint64_t left_of(const struct transfer *transfer, uint64_t limit)
{
	uint64_t left = transfer->total - transfer->done;

	return left < limit ? left : limit;
}

/* The rest of it, and no more than `limit` bytes, as a message. */
static struct message rest_of(
	const struct transfer *transfer, struct window *window, uint64_t limit)
{
	bool first = !transfer->done;

	if (transfer->parts)
		window_fill(window, transfer->parts, transfer->count, transfer->done,
			left_of(transfer, limit));
	else
		*window = (struct window){
			{ { transfer->base + transfer->done, left_of(transfer, limit) } }, 1
		};
	return (struct message){
		.name = first ? transfer->name : 0,
		.name_bytes = first ? (uint32_t)transfer->name_bytes : 0,
		.parts = (uint64_t)window->parts,
		.part_count = window->count,
		.control = first ? transfer->control : 0,
		.control_bytes = first ? transfer->control_bytes : 0,
	};
}

/* All parts, where they are. */
static struct message vector_of(const struct transfer *transfer)
{
	return (struct message){ .parts = transfer->parts, .part_count = transfer->count };
}

static long send_natively(const struct transfer *transfer, uint32_t flags, uint64_t limit)
{
	struct message message;
	struct window window;

	if (!transfer->done && limit >= transfer->total) {
		if (transfer->message)
			return sys_window(__NR_sendmsg, transfer->fd, transfer->message, flags);
		if (!transfer->parts)
			return sys_window(__NR_sendto, transfer->fd, transfer->base,
				transfer->total, flags, transfer->name, transfer->name_bytes);
		message = vector_of(transfer);
	} else {
		message = rest_of(transfer, &window, limit);
	}
	return sys_window(__NR_sendmsg, transfer->fd, &message, flags);
}

/* The sender waits until what it sent has arrived. */
void transfer_sent(struct thread *self, uint64_t fd, uint64_t bytes)
{
	enum socket_kind kind = socket_kind(self, fd);

	if (kind == SOCKET_TCP)
		packets_settle_tcp(self, (int)fd);
	else if (kind == SOCKET_INET)
		packets_settle(self);
	if (bytes)
		connection_sent(self, fd, bytes);
}

static long send_some(struct thread *self, struct transfer *transfer)
{
	enum socket_kind kind = socket_kind(self, transfer->fd);
	uint32_t flags = transfer->flags | MSG_DONTWAIT;
	uint64_t limit = UINT64_MAX;
	long r;

	/* The kernel would keep what more is to follow, until it is tired of waiting. */
	if (kind == SOCKET_TCP) {
		flags &= ~MSG_MORE;
		limit = connection_room(self, transfer->fd);
	}
	r = send_natively(transfer, flags, limit);
	if (r >= 0 || kind == SOCKET_TCP)
		transfer_sent(self, transfer->fd, r > 0 ? (uint64_t)r : 0);
	return r;
}

/* To look at as much as was asked for, one waits until it is there, or nothing more comes; but not
 * with UNIX sockets. */
static bool comes_more(struct thread *self, const struct transfer *transfer)
{
	int32_t there = 0;

	return (transfer->flags & MSG_PEEK) && (transfer->flags & MSG_WAITALL) &&
	       socket_kind(self, transfer->fd) == SOCKET_TCP &&
	       !sys(__NR_ioctl, transfer->fd, FIONREAD, &there) &&
	       (uint32_t)there < transfer->total && !descriptor_ready(transfer->fd, POLLRDHUP);
}

static long receive_natively(const struct transfer *transfer, uint32_t flags)
{
	struct message message;
	struct window window;

	if (!transfer->done) {
		if (transfer->message)
			return sys_window(__NR_recvmsg, transfer->fd, transfer->message, flags);
		if (!transfer->parts)
			return sys_window(__NR_recvfrom, transfer->fd, transfer->base,
				transfer->total, flags, transfer->name, transfer->name_bytes);
		message = vector_of(transfer);
	} else {
		message = rest_of(transfer, &window, UINT64_MAX);
	}
	return sys_window(__NR_recvmsg, transfer->fd, &message, flags);
}

static long receive_some(struct thread *self, struct transfer *transfer)
{
	bool takes = !(transfer->flags & (MSG_PEEK | MSG_OOB | MSG_ERRQUEUE));
	long r;

	if (comes_more(self, transfer))
		return -EAGAIN;
	r = receive_natively(transfer, transfer->flags | MSG_DONTWAIT);
	if (r > 0 && takes)
		connection_read(self, transfer->fd, (uint64_t)r);
	else if (r == -EAGAIN && takes)
		connection_empty(self, transfer->fd);
	if (r >= 0 && transfer->message && !transfer->done && !(process.relax & RELAX_TIME))
		message_times(self, transfer->message);
	return r;
}

/* Streams are sent as a whole; what is received is only when one asks for it. */
static void set_whole(struct thread *self, struct transfer *transfer)
{
	bool all = (transfer->flags & MSG_WAITALL) && !(transfer->flags & MSG_PEEK);

	transfer->whole =
		socket_is_stream(socket_kind(self, transfer->fd)) && (transfer->sends || all);
}

/* A message that the kernel will find wrong is handed to it as it is. */
void transfer_take_message(struct transfer *transfer, uint64_t place)
{
	struct message message;
	int64_t bytes = copy_in(&message, place, sizeof(message))
				? -1
				: parts_bytes(message.parts, message.part_count);

	transfer->message = place;
	if (bytes < 0)
		return;
	transfer->parts = message.parts;
	transfer->count = message.part_count;
	transfer->total = (uint64_t)bytes;
	if (!transfer->sends)
		return;
	transfer->name = message.name;
	transfer->name_bytes = message.name_bytes;
	transfer->control = message.control;
	transfer->control_bytes = message.control_bytes;
}

struct transfer transfer_plain(struct thread *self, bool sends)
{
	return (struct transfer){
		.fd = (uint32_t)argument(self, 0),
		.base = argument(self, 1),
		.total = argument(self, 2),
		.sends = sends,
		.attempt = sends ? send_some : receive_some,
	};
}

long transfer_run(struct thread *self, struct transfer *transfer)
{
	set_whole(self, transfer);
	return transfer_all(self, transfer);
}
