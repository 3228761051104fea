/*
 * When a message came, as SO_TIMESTAMP and its relatives have it told in control messages: in
 * logical time, at the moment when the program gets to know of the message.
 */
#include "guest/clock.h"
#include "guest/handlers.h"
#include "guest/socket_messages.h"

enum {
	SCM_TIMESTAMP = 29,
	SCM_TIMESTAMPNS = 35,
	SCM_TIMESTAMPING = 37,
	SCM_TIMESTAMP_NEW = 63, /* the same on 64-bit machines */
	SCM_TIMESTAMPNS_NEW = 64,
	SCM_TIMESTAMPING_NEW = 65,
};

struct control {
	uint64_t bytes; /* with this head */
	int32_t level, type;
};

/* Seconds, and the rest by `fraction` ns; from hardware there is nothing. */
static void put_time(struct thread *self, uint64_t to, uint64_t room, int64_t fraction)
{
	int64_t times[6] = { 0 };

	clock_wall(clock_look(self), &times[0], &times[1]);
	times[1] /= fraction;
	copy_out(to, times, room < sizeof(times) ? room : sizeof(times));
}

static void control_times(struct thread *self, uint64_t at, const struct control *head)
{
	uint64_t data = at + sizeof(*head), room = head->bytes - sizeof(*head);

	if (head->level != SOL_SOCKET)
		return;
	switch (head->type) {
	case SCM_TIMESTAMP:
	case SCM_TIMESTAMP_NEW:
		put_time(self, data, room, 1000);
		break;
	case SCM_TIMESTAMPNS:
	case SCM_TIMESTAMPNS_NEW:
	case SCM_TIMESTAMPING:
	case SCM_TIMESTAMPING_NEW:
		put_time(self, data, room, 1);
		break;
	}
}

void message_times(struct thread *self, uint64_t from)
{
	struct message message;
	uint64_t at, end;

	if (copy_in(&message, from, sizeof(message)) ||
		message.control_bytes < sizeof(struct control))
		return;
	at = message.control;
	for (end = at + message.control_bytes; end - at >= sizeof(struct control);) {
		struct control head;

		if (copy_in(&head, at, sizeof(head)) || head.bytes < sizeof(head) ||
			head.bytes > end - at)
			return;
		control_times(self, at, &head);
		at += (head.bytes + 7) & ~7ull;
		if (at > end)
			return;
	}
}

long handle_recvmsg(struct thread *self)
{
	long r = pass_on(self);

	if (r >= 0)
		message_times(self, argument(self, 1));
	return r;
}

/* Each message is followed by its length. */
long handle_recvmmsg(struct thread *self)
{
	long r = pass_on(self);

	for (long i = 0; i < r; i++)
		message_times(self, argument(self, 1) + (uint64_t)i * MESSAGE_IN_ROW);
	return r;
}
