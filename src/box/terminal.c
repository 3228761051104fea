#include "box/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS 80
#define LINES	24

int terminal_make(const struct box_config *config, int *slave, struct error *err)
{
	struct winsize size = { .ws_row = LINES, .ws_col = COLUMNS };
	int unlocked = 0;
	int master = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (master < 0 || ioctl(master, TIOCSPTLCK, &unlocked) || ioctl(master, TIOCSWINSZ, &size))
		return error_set(err, errno, "cannot make a terminal in the container");
	*slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*slave < 0 || fchown(*slave, config->uid, (gid_t)-1))
		return error_set(err, errno, "cannot open the container's terminal");
	return master;
}

/* Everything that is typed belongs to the command, ^C included. */
static bool make_raw(struct termios *saved)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, saved))
		return false;
	raw = *saved;
	cfmakeraw(&raw);
	return tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

static void queue_end(struct terminal *terminal)
{
	terminal->forward = false;
	terminal->pending[0] = 4; /* ^D: the end of input in a terminal's default settings */
	terminal->pending_length = 1;
}

void terminal_start(struct terminal *terminal, int master, bool forward)
{
	terminal->master = master;
	terminal->forward = forward;
	signal(SIGPIPE, SIG_IGN); /* or the outer terminal would stay raw when the reader goes */
	fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK);
	if (forward)
		terminal->raw = make_raw(&terminal->outer);
	else
		queue_end(terminal);
}

void terminal_prepare(const struct terminal *terminal, struct pollfd fds[2])
{
	bool pending = terminal->pending_length > 0;

	fds[0] = (struct pollfd){ terminal->master, POLLIN | (pending ? POLLOUT : 0), 0 };
	fds[1] = (struct pollfd){ terminal->forward && !pending ? STDIN_FILENO : -1, POLLIN, 0 };
}

static void write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return; /* nobody reads any more */
		data += n > 0 ? n : 0;
		length -= n > 0 ? (size_t)n : 0;
	}
}

/* False when there is nothing to read now. */
static bool relay_output(struct terminal *terminal)
{
	char data[16384];
	ssize_t n = read(terminal->master, data, sizeof(data));

	if (n <= 0)
		return false;
	write_all(STDOUT_FILENO, data, (size_t)n);
	return true;
}

static void take_input(struct terminal *terminal)
{
	ssize_t n = read(STDIN_FILENO, terminal->pending, sizeof(terminal->pending));

	if (n > 0)
		terminal->pending_length = (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		queue_end(terminal);
}

static void relay_input(struct terminal *terminal)
{
	ssize_t n = write(terminal->master, terminal->pending, terminal->pending_length);

	if (n <= 0)
		return;
	terminal->pending_length -= (size_t)n;
	memmove(terminal->pending, terminal->pending + n, terminal->pending_length);
}

void terminal_relay(struct terminal *terminal, const struct pollfd fds[2])
{
	if (terminal->master < 0)
		return;
	if (fds[0].revents & POLLIN)
		relay_output(terminal);
	if (fds[0].revents & POLLOUT)
		relay_input(terminal);
	if (fds[1].revents)
		take_input(terminal);
}

void terminal_stop(struct terminal *terminal)
{
	if (terminal->master < 0)
		return;
	while (relay_output(terminal))
		;
	if (terminal->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->outer);
	close(terminal->master);
	terminal->master = -1;
}
