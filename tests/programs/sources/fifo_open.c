/* Who meets whom at the two ends of a FIFO, and what each end sees of the other. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#include "contend.h"

static void meet(int who)
{
	char name[8] = "fifo0";
	char byte = (char)('a' + who);
	int fd;

	for (int i = 0; i < 4; i++) {
		name[4] = (char)('0' + who / 2);
		compute(5 + 40 * (unsigned)((who * 3 + i) % 4));
		usleep(700 * (unsigned)((who + 2 * i) % 3));
		fd = open(name, who % 2 ? O_WRONLY : O_RDONLY);
		if (fd < 0)
			_exit(1);
		say(who % 2 ? "writer" : "reader", who, i);
		if (who % 2) {
			for (int j = 0; j < 3; j++)
				if (write(fd, &byte, 1) < 0)
					_exit(2);
		} else {
			while (read(fd, &byte, 1) > 0)
				say("got", who, byte);
		}
		close(fd);
		usleep(5000);
	}
}

static void interrupted(int signal)
{
	(void)signal;
}

static void brief(int who)
{
	struct sigaction action = { .sa_handler = interrupted };
	struct pollfd polled;
	int fd;

	sigaction(SIGALRM, &action, NULL);
	if (who == 0) {
		fd = open("fifo0", O_WRONLY); /* a reader comes, and goes */
		say("opened", who, fd > 0);
		signal(SIGPIPE, SIG_IGN);
		TELL(write(fd, "x", 1));
		close(fd);
		alarm(1);
		TELL(open("fifo0", O_RDONLY));
		alarm(1);
		TELL(open("fifo0", O_WRONLY));
	} else if (who == 1) {
		usleep(5000);
		fd = open("fifo0", O_RDONLY);
		say("opened", who, fd > 0);
		close(fd);
		fd = open("fifo1", O_RDONLY | O_NONBLOCK);
		polled = (struct pollfd){ fd, POLLIN, 0 };
		poll(&polled, 1, 0);
		say("no writer yet", who, polled.revents);
		poll(&polled, 1, -1);
		say("came and went", who, polled.revents);
	} else {
		usleep(20000);
		fd = open("fifo1", O_WRONLY | O_NONBLOCK);
		close(fd);
	}
	fflush(stdout);
}

int main(void)
{
	struct stat st;
	int fd;

	if (mkfifo("fifo0", 0600) || mkfifo("fifo1", 0600) || mkfifo("fifo2", 0600) ||
		contend(6, meet) || contend(3, brief))
		return 1;
	TELL(open("fifo0", O_WRONLY | O_NONBLOCK));
	TELL(open("nothing", O_WRONLY));
	fd = open("fifo0", O_RDWR);
	printf("%d %x\n", fd, fcntl(fd, F_GETFL));
	close(fd);
	fd = open("fifo0", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	printf("%d %x %d\n", fd, fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
	fd = open("fifo0", O_WRONLY | O_CLOEXEC | O_APPEND);
	printf("%d %x %d\n", fd, fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
	fstat(fd, &st);
	printf("%o\n", st.st_mode);
	fd = open("/dev/null", O_RDONLY);
	printf("%x\n", fcntl(fd, F_GETFL));
	return 0;
}
