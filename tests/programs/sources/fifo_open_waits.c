/* Opening one end of a FIFO waits for the other, unless it is told not to, and is ended by a
 * signal. Does not differ natively: each waits for the other. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static void on_alarm(int number)
{
	(void)number;
}

static void alarm_soon(void)
{
	const struct itimerval soon = { { 0, 0 }, { 0, 100000 } };
	struct sigaction action = { .sa_handler = on_alarm };

	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static int say(const char *what, int fd)
{
	printf("%s: %s\n", what, fd < 0 ? strerror(errno) : "open");
	return fd;
}

static void meets(int own, int others, const char *what)
{
	int fd;

	fflush(stdout);
	if (fork() == 0) {
		sleep(1);
		fd = open("fifo", others);
		must(fd >= 0 && !(fcntl(fd, F_GETFL) & O_NONBLOCK));
		if (others == O_WRONLY)
			must(write(fd, "hello", 5) == 5);
		else
			must(read(fd, &(char){ 0 }, 1) == 1);
		_exit(0);
	}
	fd = say(what, open("fifo", own));
	must(!(fcntl(fd, F_GETFL) & O_NONBLOCK));
	if (own == O_WRONLY) {
		must(write(fd, "x", 1) == 1);
	} else {
		char bytes[10];

		printf("read %zd\n", read(fd, bytes, sizeof(bytes)));
		printf("then %zd\n", read(fd, bytes, sizeof(bytes)));
		struct pollfd end = { fd, POLLIN, 0 };

		must(poll(&end, 1, 0) == 1);
		printf("poll %#x\n", (unsigned int)end.revents);
	}
	close(fd);
	must(wait(NULL) > 0);
}

int main(void)
{
	must(mkfifo("fifo", 0600) == 0);
	close(say("not waiting for a writer", open("fifo", O_RDONLY | O_NONBLOCK)));
	say("not waiting for a reader", open("fifo", O_WRONLY | O_NONBLOCK));
	close(say("both ends", open("fifo", O_RDWR)));
	alarm_soon();
	say("a signal in place of a writer", open("fifo", O_RDONLY));
	alarm_soon();
	say("a signal in place of a reader", open("fifo", O_WRONLY));
	meets(O_RDONLY, O_WRONLY, "a writer came");
	meets(O_WRONLY, O_RDONLY, "a reader came");
	printf("next descriptor %d\n", open("/dev/null", O_RDONLY));
	must(unlink("fifo") == 0);
	return 0;
}
