#include "guest/packets.h"

#include "guest/sys.h"
#include "guest/turn.h"

#define SIOCOUTQ    0x5411 /* sent and not acknowledged, and not sent */
#define SIOCOUTQNSD 0x894b /* not sent */
#define TCP_CORK    3
#define TCP_INFO    11
#define LOOKS	    100	   /* before one sleeps between them */
#define LOOKS_LAST  100000 /* a second or so more, of sleeps */
#define PAUSE_NS    20000

enum { SYN_SENT = 2, CLOSED = 7 };

typedef bool is_there(int fd);

static uint8_t tcp_state(int fd)
{
	uint8_t state = CLOSED;
	uint32_t length = sizeof(state);

	sys(__NR_getsockopt, fd, SOL_TCP, TCP_INFO, &state, &length);
	return state;
}

/* Nothing is under way. What an ended connection still has is never sent. */
static bool is_acknowledged(int fd)
{
	int32_t left = 0, unsent = 0;

	if (sys(__NR_ioctl, fd, SIOCOUTQ, &left) || left == 0)
		return true;
	sys(__NR_ioctl, fd, SIOCOUTQNSD, &unsent);
	return left == unsent || tcp_state(fd) == CLOSED;
}

static bool is_decided(int fd)
{
	return tcp_state(fd) != SYN_SENT;
}

/* Others wait for this task, which does not wait for them. */
static void pause_after(struct thread *self, uint32_t looks)
{
	const int64_t pause[2] = { 0, PAUSE_NS };

	if (looks < LOOKS) {
		__builtin_ia32_pause();
		return;
	}
	turn_hold(self);
	sys(__NR_nanosleep, pause, NULL);
	turn_release(self);
}

static void wait_for(struct thread *self, is_there *there, int fd)
{
	for (uint32_t look = 0; look < LOOKS_LAST && !there(fd); look++)
		pause_after(self, look);
}

/* The kernel keeps what fills no packet when it was told that more follows (SPLICE_F_MORE, or
 * sendfile to beyond a file's end). */
static bool is_kept(int fd)
{
	const int32_t off = 0;
	int32_t unsent = 0;

	if (sys(__NR_ioctl, fd, SIOCOUTQNSD, &unsent) || unsent == 0)
		return false;
	sys(__NR_setsockopt, fd, SOL_TCP, TCP_CORK, &off, sizeof(off));
	return true;
}

void packets_settle_tcp(struct thread *self, int fd)
{
	int32_t left = 0;

	if (sys(__NR_ioctl, fd, SIOCOUTQ, &left) || left == 0)
		return;
	wait_for(self, is_acknowledged, fd);
	if (is_kept(fd))
		wait_for(self, is_acknowledged, fd);
}

void packets_settle_connect(struct thread *self, int fd)
{
	wait_for(self, is_decided, fd);
}

/*
 * /proc/net/softnet_stat has a line of hexadecimal numbers for each CPU. One of them is how many
 * packets wait there. A CPU that was seen without any since the packets of interest were sent does
 * not have them.
 */
#define NUMBERS_BEFORE 11
#define NUMBER_CHARS   9 /* with the blank */
#define CPUS_MAX       1024

struct waiting {
	uint64_t none[CPUS_MAX / 64]; /* CPUs that were seen without */
	char text[2048];
};

static bool line_has_none(const char *line)
{
	const char *number = line + NUMBERS_BEFORE * NUMBER_CHARS;

	for (int i = 0; i < NUMBER_CHARS - 1; i++)
		if (number[i] != '0')
			return false;
	return true;
}

static bool note_line(struct waiting *waiting, uint32_t cpu, const char *line)
{
	uint64_t *word = &waiting->none[cpu / 64 % (CPUS_MAX / 64)], bit = 1ull << cpu % 64;

	if (line_has_none(line))
		*word |= bit;
	return *word & bit;
}

/* The line that follows a whole one, or its end; NULL: the line is not whole. */
static const char *line_after(const char *line, const char *end)
{
	const char *at = line;

	while (at < end && *at != '\n')
		at++;
	return at < end && at - line > (NUMBERS_BEFORE + 1) * NUMBER_CHARS ? at + 1 : NULL;
}

/* Have all CPUs been seen without? */
static bool look_at_cpus(struct waiting *waiting)
{
	const char *line;
	uint32_t cpu = 0, at = 0;
	bool none = true;
	long n;

	while ((n = sys(__NR_pread64, FD_PACKETS, waiting->text, sizeof(waiting->text), at)) > 0) {
		const char *end = waiting->text + n, *next;

		for (line = waiting->text; (next = line_after(line, end)); line = next)
			none &= note_line(waiting, cpu++, line);
		if (line == waiting->text)
			return none;
		at += (uint32_t)(line - waiting->text);
	}
	return none;
}

void packets_settle(struct thread *self)
{
	struct waiting waiting;

	memset(waiting.none, 0, sizeof(waiting.none));
	for (uint32_t look = 0; look < LOOKS_LAST && !look_at_cpus(&waiting); look++)
		pause_after(self, look);
}
