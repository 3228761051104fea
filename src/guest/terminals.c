#include "guest/terminals.h"

#include "guest/clock.h"
#include "guest/files.h"
#include "guest/nonblocking.h"
#include "guest/process.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/terminal_signals.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define TIOCGPGRP    0x540f
#define TIOCGWINSZ   0x5413
#define TIOCSWINSZ   0x5414
#define TIOCNOTTY    0x5422
#define TIOCGSID     0x5429
#define TIOCGPTN     0x80045430u
#define TIOCGPKT     0x80045438u
#define TIOCGPTPEER  0x5441
#define O_RDWR	     02
#define O_NOCTTY     0400
#define POLLERR	     8
#define POLLHUP	     0x10
#define ICANON	     2u
#define ISIG	     1u
#define VTIME	     5
#define VMIN	     6
#define PIECE	     1024 /* bytes that are looked at for signals at a time */
#define TENTH	     100000000ull
#define SETTLE_TIMES 200
#define DEVICE_PTMX  0x502
#define MAJOR_SLAVES 136

struct termios64 {
	uint32_t input, output, control, local;
	uint8_t line, characters[19];
};

/* The number of the pair, when the descriptor is its master; -1: it is not. */
static int32_t master_number(uint64_t fd)
{
	int32_t number = -1;

	return sys(__NR_ioctl, (int)fd, TIOCGPTN, &number) ? -1 : number;
}

static uint64_t *opened_word(uint32_t number)
{
	return &process.arena->terminals_opened[number / 64 % TERMINAL_WORDS];
}

void terminal_opened(long fd, uint64_t device)
{
	uint64_t major = device >> 8 & 0xfff, minor = (device & 0xff) | (device >> 12 & 0xfff00);
	int32_t number = device == DEVICE_PTMX ? master_number((uint64_t)fd) : -1;

	if (number >= 0)
		__atomic_and_fetch(
			opened_word((uint32_t)number), ~(1ull << number % 64), __ATOMIC_RELAXED);
	else if (major == MAJOR_SLAVES)
		__atomic_or_fetch(
			opened_word((uint32_t)minor), 1ull << minor % 64, __ATOMIC_RELAXED);
}

static int poll_events(int fd)
{
	struct kernel_poll poll = { fd, POLLIN, 0 };

	return sys(__NR_poll, &poll, 1, 0) > 0 ? poll.found : 0;
}

/* The slave of a master, opened once more; negative when nobody else has it open, as then its last
 * close would be seen. */
static int open_slave(uint64_t master)
{
	int32_t number = master_number(master);

	if (number < 0 || !(*opened_word((uint32_t)number) >> number % 64 & 1) ||
		(poll_events((int)master) & POLLHUP))
		return -1;
	return (int)sys(
		__NR_ioctl, (int)master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

static int32_t bytes_in(uint64_t fd)
{
	int32_t bytes = 0;

	sys(__NR_ioctl, (int)fd, FIONREAD, &bytes);
	return bytes;
}

/* What a write to the master could change at both ends. */
struct ends {
	uint64_t master;
	int slave;  /* or negative */
	bool lines; /* the slave has something to read already, so polling it finishes nothing */
	int32_t bytes[2];
};

static struct ends ends_before(uint64_t master)
{
	struct ends ends = { .master = master, .slave = open_slave(master) };

	if (ends.slave < 0)
		return ends;
	ends.lines = poll_events(ends.slave) & POLLIN;
	poll_events((int)master);
	ends.bytes[0] = bytes_in((uint64_t)ends.slave);
	ends.bytes[1] = bytes_in(master);
	return ends;
}

/*
 * A poll of the slave lets the worker finish when there is nothing to read. Else its work shows in
 * what there is to read at one end or the other, unless there is nothing to show.
 */
static void ends_settle(struct thread *self, const struct ends *ends)
{
	const int64_t nap[2] = { 0, 50000 };

	if (ends->slave < 0)
		return;
	turn_hold(self);
	poll_events(ends->slave);
	for (int i = 0; ends->lines && i < SETTLE_TIMES; i++) {
		poll_events((int)ends->master);
		if (bytes_in((uint64_t)ends->slave) != ends->bytes[0] ||
			bytes_in(ends->master) != ends->bytes[1])
			break;
		sys(__NR_nanosleep, nap, 0);
	}
	turn_release(self);
	sys(__NR_close, ends->slave);
}

void terminals_settle(struct thread *self)
{
	int fd = -1;

	while ((fd = file_next(self, FILE_TERMINAL, fd + 1)) >= 0)
		poll_events(fd);
}

uint64_t terminals_ready(struct thread *self)
{
	uint64_t ready = 0;
	int fd = -1;

	while ((fd = file_next(self, FILE_TERMINAL, fd + 1)) >= 0)
		if (!file_of(self, (uint64_t)fd)->outside && poll_events(fd))
			ready += (uint64_t)fd + 1;
	return ready;
}

/* Bytes may be read in several goes, until there are none: the worker hands them over in portions
 * of its own. A line of a slave is one go, and so is a packet. */
static bool reads_in_goes(uint64_t fd, const struct termios64 *termios)
{
	int32_t packets = 0;

	if (master_number(fd) < 0)
		return !(termios->local & ICANON);
	return sys(__NR_ioctl, (int)fd, TIOCGPKT, &packets) == 0 && !packets;
}

static long read_goes(uint64_t fd, uint64_t place, uint64_t bytes, bool goes)
{
	uint64_t done = 0;
	long r;

	do {
		r = sys(__NR_read, (int)fd, place + done, bytes - done);
		if (r > 0)
			done += (uint64_t)r;
	} while (goes && r > 0 && done < bytes);
	return done ? (long)done : r;
}

static long attempt_read(struct thread *self, struct wait *wait, uint64_t ns)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	const struct termios64 *termios = (const struct termios64 *)wait->args[0];
	bool blocks = descriptor_blocks(fd);
	long r;

	(void)ns;
	if (wait->args[1] && poll_events((int)fd) == (POLLIN | POLLHUP | POLLERR))
		return -EIO; /* the master was closed while it waited */
	if (self->pending)
		return -RESTART;
	wait->args[1] = true;
	if (blocks && !descriptor_ready(fd, POLLIN))
		return NOT_READY;
	if (blocks)
		descriptor_set_blocking(fd, false);
	if ((uint32_t)self->regs.rax == __NR_read)
		r = read_goes(fd, argument(self, 1), argument(self, 2), reads_in_goes(fd, termios));
	else
		r = pass_on(self);
	if (blocks)
		descriptor_set_blocking(fd, true);
	return blocks && r == -EAGAIN ? NOT_READY : r;
}

long terminal_read(struct thread *self, call_handler *run)
{
	struct termios64 termios = { 0 };
	struct wait wait = {
		.attempt = attempt_read,
		.args = { (long)&termios },
	};
	uint64_t fd = (uint32_t)argument(self, 0);
	long r;

	if (sys(__NR_ioctl, (int)fd, TCGETS, &termios))
		return run(self); /* hung up */
	if (master_number(fd) < 0 && !(termios.local & ICANON) && !termios.characters[VMIN])
		wait.deadline = wait_deadline(self, termios.characters[VTIME] * TENTH);
	r = wait_for_stream(self, &wait);
	if (r > 0)
		turn_wake(self->task, PARK_STREAM);
	return r == NOT_READY ? 0 : r;
}

/* The group in the foreground of the terminal, or 0. */
static int32_t foreground_of(uint64_t fd)
{
	int32_t group = 0;

	return sys(__NR_ioctl, (int)fd, TIOCGPGRP, &group) || group < 0 ? 0 : group;
}

/* Which signals the slave's discipline makes of bytes written to the master: bits. */
static sigmask_t signals_of(uint64_t place, uint64_t bytes, const struct termios64 *termios)
{
	static const int signals[] = { 2, 3, 20 }; /* SIGINT, SIGQUIT, SIGTSTP */
	static const int which[] = { 0, 1, 10 };   /* VINTR, VQUIT, VSUSP */
	uint8_t piece[PIECE];
	sigmask_t found = 0;

	if (!(termios->local & ISIG) || copy_in(piece, place, bytes))
		return 0;
	for (uint64_t i = 0; i < bytes; i++)
		for (int j = 0; j < 3; j++)
			if (piece[i] && piece[i] == termios->characters[which[j]])
				found |= SIG_BIT(signals[j]);
	return found;
}

/* A piece of a write to the master. */
static long write_master(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct termios64 termios = { 0 };
	struct ends ends = ends_before(fd);
	int32_t group = foreground_of(fd);
	sigmask_t signals;
	long r;

	sys(__NR_ioctl, (int)fd, TCGETS, &termios);
	signals = signals_of(argument(self, 1), argument(self, 2), &termios);
	terminal_signals_begin(-group, signals);
	r = pass_on(self);
	ends_settle(self, &ends);
	terminal_signals_end(self, -group, signals, r > 0);
	return r;
}

/* As a stream's write, in pieces; the registers are restored. */
static long write_pieces(struct thread *self, call_handler *write)
{
	uint64_t at = argument(self, 1), all = argument(self, 2), done = 0;
	struct regs *regs = &self->regs;
	bool blocks = descriptor_blocks(argument(self, 0));
	long r;

	do {
		regs->rsi = at + done;
		regs->rdx = all - done < PIECE ? all - done : PIECE;
		r = nonblocking_call(self, write);
		if (r > 0)
			done += (uint64_t)r;
	} while (r > 0 && done < all && (blocks || (uint64_t)r == regs->rdx) && !self->pending);
	regs->rsi = at;
	regs->rdx = all;
	return done ? (long)done : r;
}

static long write_slave(struct thread *self)
{
	return pass_on(self);
}

long terminal_write(struct thread *self, call_handler *run)
{
	if ((uint32_t)self->regs.rax != __NR_write)
		return nonblocking_call(self, run);
	return write_pieces(
		self, master_number(argument(self, 0)) < 0 ? write_slave : write_master);
}

/* A change of the window's size is told to the foreground. */
static long set_window(struct thread *self)
{
	uint64_t fd = argument(self, 0);
	const sigmask_t window = SIG_BIT(28); /* SIGWINCH */
	int32_t group = foreground_of(fd);
	uint16_t before[4] = { 0 }, after[4] = { 0 };
	long r;

	sys(__NR_ioctl, (int)fd, TIOCGWINSZ, before);
	terminal_signals_begin(-group, window);
	r = pass_on(self);
	sys(__NR_ioctl, (int)fd, TIOCGWINSZ, after);
	terminal_signals_end(
		self, -group, window, r == 0 && memcmp(before, after, sizeof(before)) != 0);
	return r;
}

long terminal_ioctl(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct kernel_stat st;
	long r;

	if (!turns_matter())
		return pass_on(self);
	switch ((uint32_t)argument(self, 1)) {
	case TIOCSWINSZ:
		return set_window(self);
	case TIOCGPTPEER:
		r = pass_on(self);
		if (!failed(r) && sys(__NR_fstat, r, &st) == 0)
			terminal_opened(r, st.rdev);
		return r;
	default:
		poll_events((int)fd);
		r = pass_on(self);
		turn_wake(self->task, PARK_STREAM);
		return r;
	}
}

/* Closing the master for the last time hangs the slave up, which the leader of its session is
 * told. */
long terminal_close(struct thread *self, uint64_t fd)
{
	const sigmask_t hangup = SIG_BIT(1) | SIG_BIT(18); /* SIGHUP, SIGCONT */
	int32_t leader = 0;
	int slave = open_slave(fd);
	long r;

	if (slave < 0 || sys(__NR_ioctl, (int)fd, TIOCGSID, &leader))
		leader = 0;
	terminal_signals_begin(leader, hangup);
	r = sys(__NR_close, (int)fd);
	terminal_signals_end(self, leader, hangup, slave >= 0 && (poll_events(slave) & POLLHUP));
	if (slave >= 0)
		sys(__NR_close, slave);
	return r;
}

/*
 * With the leader of a session the foreground of its terminal is told, by the kernel after the
 * leader's last event. A leader that gives the terminal up before has the same done at once.
 */
static void leader_ends(struct thread *self)
{
	static const char own[] = "/dev/tty";
	const sigmask_t hangup = SIG_BIT(1) | SIG_BIT(18); /* SIGHUP, SIGCONT */
	int32_t group;
	long fd;

	if (!process.arena->terminals || clock_owner(self)->users > 1 ||
		sys(__NR_getsid, 0) != task_at(self->task)->pid)
		return;
	fd = sys(__NR_openat, AT_FDCWD, own, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (failed(fd))
		return;
	group = foreground_of((uint64_t)fd);
	if (group && terminal_signals_reach_others(self, -group)) {
		signal_block_all(self);
		terminal_signals_begin(-group, hangup);
		terminal_signals_end(self, -group, hangup, sys(__NR_ioctl, fd, TIOCNOTTY) == 0);
	}
	sys(__NR_close, fd);
}

void terminals_end(struct thread *self)
{
	int fd = -1;

	leader_ends(self);
	while ((fd = file_next(self, FILE_TERMINAL, fd + 1)) >= 0)
		terminal_close(self, (uint64_t)fd);
}
