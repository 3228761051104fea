/* A pseudoterminal between processes: when what is written arrives, in which portions, with which
 * echoes and signals. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "contend.h"

static int master, slave, out[2];

static void tell(const char *what, int number)
{
	char line[64];
	int bytes = snprintf(line, sizeof(line), "%s %d\n", what, number);

	if (write(out[1], line, (size_t)bytes) != bytes)
		_exit(1);
}

static void on_signal(int signal)
{
	tell("child has signal", signal);
}

/* What comes from the slave, until nothing does for a while. */
static void drain(int ms)
{
	struct pollfd polled = { master, POLLIN, 0 };
	char bytes[5000];

	while (poll(&polled, 1, ms) > 0) {
		ssize_t count = read(master, bytes, sizeof(bytes));

		if (count <= 0) {
			printf("master: %s\n", count ? strerror(errno) : "end");
			return;
		}
		printf("master: %zd bytes:", count);
		for (ssize_t i = 0; i < count && i < 60; i++)
			printf(bytes[i] < ' ' ? "\\%o" : "%c", bytes[i]);
		printf("\n");
	}
}

static void put(const char *text)
{
	if (write(master, text, strlen(text)) != (ssize_t)strlen(text))
		exit(1);
}

static void open_terminal(void)
{
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master) || pipe(out))
		exit(1);
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
}

static void handle(int signal)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(signal, &action, NULL);
}

/* Repeats lines, and tells of signals. */
static void repeater(void)
{
	struct winsize size;
	char line[200];
	ssize_t count;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	close(master);
	close(out[0]);
	handle(SIGINT);
	handle(SIGWINCH);
	handle(SIGHUP);
	tell("child begins", 0);
	while ((count = read(slave, line, sizeof(line))) > 0) {
		tell("child reads", (int)count);
		compute(20);
		if (write(slave, line, (size_t)count) != count)
			break;
		ioctl(slave, TIOCGWINSZ, &size);
		tell("child has columns", size.ws_col);
	}
	tell("child ends", (int)count);
	_exit(0);
}

static void show_told(void)
{
	char bytes[4000];
	ssize_t count;

	close(out[1]);
	while ((count = read(out[0], bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, (size_t)count, stdout);
	close(out[0]);
	while (wait(NULL) > 0)
		;
}

static void converse(void)
{
	struct winsize size = { .ws_row = 25, .ws_col = 80 };

	open_terminal();
	fflush(stdout);
	if (fork() == 0)
		repeater();
	close(slave);
	usleep(10000);
	put("one\n");
	drain(20);
	put("two\nthree\nfour\n");
	drain(20);
	put("lost\003kept\n");
	drain(20);
	ioctl(master, TIOCSWINSZ, &size);
	put("wide\n");
	drain(20);
	ioctl(master, TIOCSWINSZ, &size); /* no change: no signal */
	put("half a li");
	drain(5);
	put("ne\n");
	drain(20);
	close(master);
	show_told();
}

/* Raw bytes in both directions, more than fit. */
static void flood(void)
{
	struct termios raw;
	int got = 0, set = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN };
	static char bytes[30000];
	ssize_t count;

	open_terminal();
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	fflush(stdout);
	if (fork() == 0) {
		close(master);
		for (int i = 0; i < 4; i++)
			tell("wrote", (int)write(slave, bytes, sizeof(bytes)));
		while (got < 20000 && (count = read(slave, bytes, sizeof(bytes))) > 0)
			got += (int)count;
		tell("slave got", got);
		_exit(0);
	}
	close(slave);
	epoll_ctl(set, EPOLL_CTL_ADD, master, &event);
	while (got < 120000 && epoll_wait(set, &event, 1, -1) == 1) {
		count = read(master, bytes, 1000);
		if (count <= 0)
			break;
		got += (int)count;
	}
	printf("master got %d\n", got);
	printf("wrote %zd\n", write(master, bytes, 20000));
	show_told();
	close(master);
}

/* The child does not catch what is typed. */
static void killed(int key)
{
	const char typed[2] = { (char)key, 0 };
	int status = 0;
	pid_t pid;

	open_terminal();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setsid();
		ioctl(slave, TIOCSCTTY, 0);
		close(master);
		for (;;)
			pause();
	}
	close(slave);
	usleep(10000);
	put(typed);
	kill(pid, SIGCONT);
	if (waitpid(pid, &status, WUNTRACED) != pid)
		exit(1);
	printf("status %x\n", (unsigned)status);
	kill(pid, SIGKILL);
	drain(10);
	close(master);
	close(out[0]);
	close(out[1]);
}

/* The leader of the session ends: who is in the foreground is told. */
static void led(int catches)
{
	int status = 0;
	pid_t pid;

	open_terminal();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setsid();
		ioctl(slave, TIOCSCTTY, 0);
		close(master);
		if (fork() == 0) {
			if (catches)
				handle(SIGHUP);
			usleep(50000);
			tell("follower is left", getppid() == 1);
			_exit(0);
		}
		usleep(10000);
		tell("leader ends", 0);
		_exit(4);
	}
	close(slave);
	waitpid(pid, &status, 0);
	printf("status %x\n", (unsigned)status);
	drain(100);
	close(master);
	show_told();
}

int main(void)
{
	converse();
	flood();
	killed(3);
	killed(28);
	led(1);
	led(0);
	return 0;
}
