/* A descriptor that does not block takes what fits and says how much, and EAGAIN when nothing does;
 * one that blocks takes all, in as many steps as the reader gives it room. Does not differ
 * natively: the writer is done, or waits, before the reader goes on. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static char bytes[300000];

static void say(const char *what, ssize_t result)
{
	printf("%s: %zd%s%s\n", what, result, result < 0 ? " " : "",
		result < 0 ? strerror(errno) : "");
}

static void on_alarm(int number)
{
	(void)number;
}

static void alarm_soon(int flags)
{
	const struct itimerval soon = { { 0, 0 }, { 0, 100000 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };

	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static void without_waiting(void)
{
	int ends[2];

	must(pipe2(ends, O_NONBLOCK) == 0);
	say("read from nothing", read(ends[0], bytes, 10));
	say("100000 written", write(ends[1], bytes, 100000));
	say("1 written", write(ends[1], bytes, 1));
	say("5000 read", read(ends[0], bytes, 5000));
	say("5000 written", write(ends[1], bytes, 5000));
	say("4096 written", write(ends[1], bytes, 4096));
	say("100000 read", read(ends[0], bytes, 100000));
	close(ends[1]);
	say("the end", read(ends[0], bytes, 10));
}

/* A signal ends a write that has put something in with what it put in, else with EINTR. */
static void with_signals(void)
{
	int ends[2];

	must(pipe(ends) == 0);
	alarm_soon(SA_RESTART);
	say("cut by a signal", write(ends[1], bytes, 100000));
	alarm_soon(0);
	say("cut with nothing done", write(ends[1], bytes, 1));
	must(read(ends[0], bytes, 65536) == 65536);
	alarm_soon(0);
	say("read cut", read(ends[0], bytes, 1));
}

static void to_nobody(void)
{
	int ends[2], status;

	signal(SIGPIPE, SIG_IGN);
	must(pipe(ends) == 0);
	close(ends[0]);
	say("nobody reads", write(ends[1], bytes, 10));
	signal(SIGPIPE, SIG_DFL);
	if (fork() == 0) {
		write(ends[1], bytes, 10);
		_exit(0);
	}
	must(wait(&status) > 0);
	printf("by signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* The reader goes away while the writer waits: it gets what it has written, and SIGPIPE. */
static void reader_leaves(void)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	must(pipe(ends) == 0);
	if (fork() == 0) {
		close(ends[1]);
		sleep(1);
		must(read(ends[0], bytes, 4096) == 4096);
		sleep(1);
		_exit(0);
	}
	close(ends[0]);
	say("written before the reader left", write(ends[1], bytes, 300000));
	must(wait(NULL) > 0);
}

static void whole(void)
{
	int ends[2], sum = 0;
	ssize_t n;

	must(pipe(ends) == 0);
	if (fork() == 0) {
		close(ends[0]);
		must(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
		_exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], bytes, 10000)) > 0)
		sum += (int)n;
	printf("whole: %d\n", sum);
	must(wait(NULL) > 0);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	without_waiting();
	with_signals();
	to_nobody();
	reader_leaves();
	whole();
	return 0;
}
