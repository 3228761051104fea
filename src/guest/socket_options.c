/* Socket options whose values are the host's or the moment's. */
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/sockets.h"
#include "guest/turn.h"

enum {
	SO_REUSEPORT = 15,
	SO_SNDBUF = 7,
	SO_RCVBUF = 8,
	SO_PASSCRED = 16,
	SO_PROTOCOL = 38,
	SO_MAX_PACING_RATE = 47,
	SO_INCOMING_CPU = 49,
	SO_ATTACH_REUSEPORT_CBPF = 51,
	SO_COOKIE = 57,
	SO_ZEROCOPY = 60,
	SO_NEWER = 69, /* SO_PREFER_BUSY_POLL and what follows: Linux 5.11 and later */
	SO_BUF_LOCK = 72,
	SO_NEWER_END = 100,
};
enum {
	TCP_CORK = 3,
	TCP_DEFER_ACCEPT = 9,
	TCP_WINDOW_CLAMP = 10,
	TCP_INFO = 11,
	TCP_TIMESTAMP = 24,
	TCP_NOTSENT_LOWAT = 25,
};
enum { SNDBUF_LOCK = 1, RCVBUF_LOCK = 2 };
/* As the kernel has them after boot. */
enum { BUFFER_MAX = 212992, BUFFER_SEND_LEAST = 4608, BUFFER_RECEIVE_LEAST = 2304 };
enum { BUFFER_DEFAULT = 212992, BUFFER_TCP_SEND = 16384, BUFFER_TCP_RECEIVE = 131072 };
#define TCP_INFO_STATE 8 /* bytes of struct tcp_info that tell of states and options, not of pace */

/* The socket's number in the order in which they were asked for; 0 when there are too many. */
static uint64_t cookie_number(uint64_t real)
{
	uint64_t *cookies = process.arena->sockets.cookies;

	for (uint64_t i = 0; i < SOCKET_COOKIES; i++) {
		uint64_t found = 0;

		if (cookies[i] == real ||
			__atomic_compare_exchange_n(&cookies[i], &found, real, false,
				__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			found == real)
			return i + 1;
	}
	return 0;
}

static long virtual_cookie(uint64_t value)
{
	uint64_t cookie;

	if (copy_in(&cookie, value, sizeof(cookie)))
		return -EFAULT;
	cookie = cookie_number(cookie);
	return cookie ? copy_out(value, &cookie, sizeof(cookie)) : -ENOPROTOOPT;
}

/* As the kernel writes a number: no more of it than there is room for. */
static long answer(struct thread *self, int32_t number)
{
	uint32_t length;

	if (copy_in(&length, argument(self, 4), sizeof(length)))
		return -EFAULT;
	return copy_out(
		argument(self, 3), &number, length < sizeof(number) ? length : sizeof(number));
}

static long option_of(uint64_t fd, long option, long otherwise)
{
	int32_t value = 0;
	uint32_t length = sizeof(value);

	return sys(__NR_getsockopt, fd, SOL_SOCKET, option, &value, &length) ? otherwise : value;
}

/* The host's setting, or what the kernel found to be best by now; unless the program chose it. */
static long buffer_size(struct thread *self, uint32_t option)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	bool send = option == SO_SNDBUF;
	uint32_t set = file_of(self, fd)->buffers[!send];

	if (set)
		return answer(self, (int32_t)set);
	if (option_of(fd, SO_BUF_LOCK, ~0l) & (send ? SNDBUF_LOCK : RCVBUF_LOCK))
		return 0;
	if (option_of(fd, SO_PROTOCOL, 0) != SOL_TCP)
		return answer(self, BUFFER_DEFAULT);
	return answer(self, send ? BUFFER_TCP_SEND : BUFFER_TCP_RECEIVE);
}

/* How fast the connection is, is not for the program to see. */
static long without_pace(uint64_t value, uint32_t length)
{
	static const uint8_t zeros[512];

	if (length <= TCP_INFO_STATE)
		return 0;
	length -= TCP_INFO_STATE;
	return copy_out(
		value + TCP_INFO_STATE, zeros, length < sizeof(zeros) ? length : sizeof(zeros));
}

static bool is_newer(uint32_t option)
{
	return option >= SO_NEWER && option < SO_NEWER_END && !(process.relax & RELAX_NET);
}

static long get_socket_option(struct thread *self, uint32_t option)
{
	long r;

	if (is_newer(option))
		return -ENOPROTOOPT;
	r = pass_on(self);
	if (r)
		return r;
	switch (option) {
	case SO_COOKIE:
		return virtual_cookie(argument(self, 3));
	case SO_INCOMING_CPU:
		return answer(self, 0);
	case SO_SNDBUF:
	case SO_RCVBUF:
		return buffer_size(self, option);
	default:
		return 0;
	}
}

static long tcp_option(struct thread *self, uint32_t option)
{
	uint64_t value = argument(self, 3);
	long r = pass_on(self);
	uint32_t now, length;

	if (r || copy_in(&length, argument(self, 4), sizeof(length)))
		return r;
	if (option == TCP_INFO)
		return without_pace(value, length);
	if (option == TCP_NOTSENT_LOWAT)
		return answer(self, 0);
	if (option != TCP_TIMESTAMP || length < sizeof(now))
		return 0;
	now = (uint32_t)(clock_look(self) / NSEC_PER_MSEC);
	return copy_out(value, &now, sizeof(now));
}

long handle_getsockopt(struct thread *self)
{
	switch ((int)argument(self, 1)) {
	case SOL_SOCKET:
		return get_socket_option(self, (uint32_t)argument(self, 2));
	case SOL_TCP:
		return tcp_option(self, (uint32_t)argument(self, 2));
	default:
		return pass_on(self);
	}
}

/* The number that the program wants an option to have: 0 or an error. */
static long wanted(struct thread *self, int32_t *number)
{
	if ((uint32_t)argument(self, 4) < sizeof(*number))
		return -EINVAL;
	return copy_in(number, argument(self, 3), sizeof(*number));
}

/* As much as the kernel allows by itself; it has twice that for its own needs. What TCP sockets
 * have is not for programs to choose (connections.h), but they are not to know. */
static long set_buffer(struct thread *self, bool send)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	uint32_t least = send ? BUFFER_SEND_LEAST : BUFFER_RECEIVE_LEAST;
	int32_t bytes;
	long r = wanted(self, &bytes);

	if (r)
		return r;
	if ((uint32_t)bytes > BUFFER_MAX)
		bytes = BUFFER_MAX;
	if (!turns_matter() || socket_kind(self, fd) != SOCKET_TCP)
		return sys_window(
			__NR_setsockopt, fd, SOL_SOCKET, argument(self, 2), &bytes, sizeof(bytes));
	bytes *= 2;
	file_of(self, fd)->buffers[!send] = (uint32_t)bytes < least ? least : (uint32_t)bytes;
	return 0;
}

/* Of several sockets with one port, the kernel takes one by a secret of its own. Here it is the
 * first. */
static long share_port(struct thread *self)
{
	const struct filter_insn first = { .code = 6 /* return a constant */ };
	const struct {
		uint16_t length;
		const struct filter_insn *code;
	} filter = { 1, &first };
	long r = pass_on(self);

	if (r == 0)
		sys(__NR_setsockopt, argument(self, 0), SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF,
			&filter, sizeof(filter));
	return r;
}

static long set_socket_option(struct thread *self, uint32_t option)
{
	switch (option) {
	case SO_PASSCRED: /* now the socket needs a name when it is used (sockets.c) */
		file_of(self, (uint32_t)argument(self, 0))->settled = false;
		return pass_on(self);
	case SO_SNDBUF:
	case SO_RCVBUF:
		return set_buffer(self, option == SO_SNDBUF);
	case SO_REUSEPORT:
		return share_port(self);
	case SO_ZEROCOPY: /* when memory is free again is a matter of the kernel's pace */
		return -ENOPROTOOPT;
	default:
		return is_newer(option) ? -ENOPROTOOPT : pass_on(self);
	}
}

/* What has the kernel hold bytes or connections back, for some real time, is not done. */
static bool holds_back(int level, uint32_t option)
{
	if (level == SOL_SOCKET)
		return option == SO_MAX_PACING_RATE;
	return level == SOL_TCP &&
	       (option == TCP_CORK || option == TCP_DEFER_ACCEPT || option == TCP_WINDOW_CLAMP ||
		       option == TCP_NOTSENT_LOWAT);
}

long handle_setsockopt(struct thread *self)
{
	int level = (int)argument(self, 1);
	uint32_t option = (uint32_t)argument(self, 2);
	int32_t number;

	if (turns_matter() && holds_back(level, option) &&
		socket_kind(self, (uint32_t)argument(self, 0)) == SOCKET_TCP)
		return wanted(self, &number);
	return level == SOL_SOCKET ? set_socket_option(self, option) : pass_on(self);
}
