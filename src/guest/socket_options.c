/* Socket options whose values are the host's or the moment's. */
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/handlers.h"

enum {
	SO_SNDBUF = 7,
	SO_RCVBUF = 8,
	SO_PASSCRED = 16,
	SO_PROTOCOL = 38,
	SO_INCOMING_CPU = 49,
	SO_COOKIE = 57,
	SO_NEWER = 69, /* SO_PREFER_BUSY_POLL and what follows: Linux 5.11 and later */
	SO_BUF_LOCK = 72,
	SO_NEWER_END = 100,
};
enum { TCP_INFO = 11, TCP_TIMESTAMP = 24 };
enum { SNDBUF_LOCK = 1, RCVBUF_LOCK = 2 };
/* As the kernel has them after boot. */
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
	uint64_t fd = argument(self, 0);
	bool send = option == SO_SNDBUF;

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

static long socket_option(struct thread *self, uint32_t option)
{
	long r;

	if (option >= SO_NEWER && option < SO_NEWER_END)
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
	if (option != TCP_TIMESTAMP || length < sizeof(now))
		return 0;
	now = (uint32_t)(clock_look(self) / NSEC_PER_MSEC);
	return copy_out(value, &now, sizeof(now));
}

long handle_getsockopt(struct thread *self)
{
	switch ((int)argument(self, 1)) {
	case SOL_SOCKET:
		return socket_option(self, (uint32_t)argument(self, 2));
	case SOL_TCP:
		return tcp_option(self, (uint32_t)argument(self, 2));
	default:
		return pass_on(self);
	}
}

long handle_setsockopt(struct thread *self)
{
	uint32_t option = (uint32_t)argument(self, 2);

	if ((int)argument(self, 1) != SOL_SOCKET)
		return pass_on(self);
	if (option >= SO_NEWER && option < SO_NEWER_END)
		return -ENOPROTOOPT;
	if (option == SO_PASSCRED) /* now the socket needs a name when it is used (sockets.c) */
		file_of(self, (uint32_t)argument(self, 0))->settled = false;
	return pass_on(self);
}
