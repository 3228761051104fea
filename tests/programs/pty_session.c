/* A session on a pseudo-terminal: controlling terminal, size, interrupt and hang-up. */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "check.h"

static volatile int interrupts, hangups, resizes;

static void note(int number)
{
	if (number == SIGINT)
		interrupts++;
	if (number == SIGHUP)
		hangups++;
	if (number == SIGWINCH)
		resizes++;
}

static void session(const char *name)
{
	setsid();
	int terminal = open(name, O_RDWR);
	signal(SIGINT, note);
	signal(SIGHUP, note);
	signal(SIGWINCH, note);
	must(write(terminal, "ready\n", 6) == 6);
	while (!interrupts)
		pause();
	must(write(terminal, "interrupted\n", 12) == 12);
	while (!resizes)
		pause();
	struct winsize size;
	must(ioctl(terminal, TIOCGWINSZ, &size) == 0);
	dprintf(terminal, "%d x %d\n", size.ws_row, size.ws_col);
	while (!hangups)
		pause();
	_exit(isatty(terminal) == 0 ? 30 : 31);
}

static void expect_line(int fd, const char *wanted)
{
	char line[64] = "";
	size_t length = 0;
	while (length < sizeof(line) - 1 && read(fd, line + length, 1) == 1 &&
		line[length++] != '\n')
		;
	line[strcspn(line, "\r\n")] = 0;
	printf("the session says: %s\n", line);
	expect("as expected", strcmp(line, wanted), 0);
}

int main(void)
{
	int status, master = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios modes;
	struct winsize size = { .ws_row = 33, .ws_col = 101 };
	must(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	const char *name = ptsname(master);
	must(name && strncmp(name, "/dev/pts/", 9) == 0);
	must(tcgetattr(master, &modes) == 0);
	modes.c_lflag &= ~(tcflag_t)ECHO;
	must(tcsetattr(master, TCSANOW, &modes) == 0);
	pid_t child = fork();
	if (child == 0) {
		close(master);
		session(name);
	}
	expect_line(master, "ready");
	must(write(master, "\x03", 1) == 1);
	expect_line(master, "interrupted");
	must(ioctl(master, TIOCSWINSZ, &size) == 0);
	expect_line(master, "33 x 101");
	close(master);
	must(waitpid(child, &status, 0) == child);
	expect("status after the hang-up", WEXITSTATUS(status), 30);
	return verdict();
}
