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
	terminal->input[0] = 4; /* ^D: the end of input in a terminal's default settings */
	terminal->input_length = 1;
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

void terminal_prepare(const struct terminal *terminal, struct pollfd fds[TERMINAL_FDS])
{
	bool input = terminal->input_length > 0, output = terminal->output_length > 0;
	short master = (short)((output ? 0 : POLLIN) | (input ? POLLOUT : 0));

	fds[0] = (struct pollfd){ master ? terminal->master : -1, master, 0 };
	fds[1] = (struct pollfd){ terminal->forward && !input ? STDIN_FILENO : -1, POLLIN, 0 };
	fds[2] = (struct pollfd){ output ? STDOUT_FILENO : -1, POLLOUT, 0 };
}

/* Writes what it can of a buffer, and moves the rest to its start. */
static void flush(int fd, char *data, size_t *length)
{
	ssize_t n = write(fd, data, *length);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0)
		n = (ssize_t)*length; /* nobody reads any more */
	*length -= (size_t)n;
	memmove(data, data + n, *length);
}

/* False when the command has printed nothing more. */
static bool take_output(struct terminal *terminal)
{
	ssize_t n = read(terminal->master, terminal->output, sizeof(terminal->output));

	terminal->output_length = n > 0 ? (size_t)n : 0;
	if (terminal->hashed)
		hash_add(&terminal->hash, terminal->output, terminal->output_length);
	return n > 0;
}

static void take_input(struct terminal *terminal)
{
	ssize_t n = read(STDIN_FILENO, terminal->input, sizeof(terminal->input));

	if (n > 0)
		terminal->input_length = (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		queue_end(terminal);
}

void terminal_relay(struct terminal *terminal, const struct pollfd fds[TERMINAL_FDS])
{
	if (fds[2].revents)
		flush(STDOUT_FILENO, terminal->output, &terminal->output_length);
	if (fds[0].revents & POLLOUT)
		flush(terminal->master, terminal->input, &terminal->input_length);
	if (fds[0].revents & POLLIN)
		take_output(terminal);
	if (fds[1].revents)
		take_input(terminal);
}

void terminal_stop(struct terminal *terminal, int patience)
{
	struct pollfd out = { STDOUT_FILENO, POLLOUT, 0 };

	if (terminal->master < 0)
		return;
	if (terminal->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->outer);
	while (terminal->output_length > 0 || take_output(terminal)) {
		if (poll(&out, 1, patience) <= 0)
			break;
		flush(STDOUT_FILENO, terminal->output, &terminal->output_length);
	}
	close(terminal->master);
	terminal->master = -1;
}
