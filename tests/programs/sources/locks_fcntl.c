/* Who gets a process's lock, or an open file's, on a range of a file next; and that a circle is
 * found. */
#include <fcntl.h>
#include <signal.h>

#include "contend.h"

static int lock(int fd, int command, short type, long start, long bytes)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = bytes
	};

	return fcntl(fd, command, &lock);
}

static void worker(int who)
{
	int fd = open("lock", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < 5; i++) {
		compute(10 + 7 * (unsigned)((who + i) % 3));
		if (lock(fd, F_SETLKW, (who + i) % 3 ? F_WRLCK : F_RDLCK, who % 2, 2))
			_exit(1);
		say("has", who, i);
		usleep(3000);
		lock(fd, F_SETLK, F_UNLCK, 0, 0);
	}
	for (int i = 0; i < 3; i++) {
		if (lock(fd, F_OFD_SETLKW, F_WRLCK, 0, 0))
			_exit(1);
		say("owns", who, i);
		usleep(3000);
		lock(fd, F_OFD_SETLK, F_UNLCK, 0, 0);
	}
}

/* Each holds one byte and wants the next one's. */
static void philosopher(int who)
{
	int fd = open("lock", O_RDWR), r;

	lock(fd, F_SETLKW, F_WRLCK, who, 1);
	usleep(20000);
	r = lock(fd, F_SETLKW, F_WRLCK, (who + 1) % 3, 1);
	say(r == 0 ? "eats" : errno == EDEADLK ? "would starve" : "fails", who, r);
}

static void interrupted(int signal)
{
	(void)signal;
}

/* A signal ends the wait; so does the holder's death. */
static void patient(int who)
{
	int fd = open("lock", O_RDWR);
	struct sigaction action = { .sa_handler = interrupted };

	if (who == 0) {
		lock(fd, F_SETLKW, F_WRLCK, 0, 0);
		sleep(2);
		raise(SIGKILL);
	}
	usleep(20000);
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	say("interrupted", who, lock(fd, F_SETLKW, F_WRLCK, 0, 0));
	say("granted", who, lock(fd, F_SETLKW, F_WRLCK, 0, 0));
}

int main(void)
{
	int fd;

	if (contend(4, worker) || contend(3, philosopher))
		return 1;
	contend(3, patient);
	fd = open("lock", O_RDWR);
	TELL(lock(fd, F_SETLKW, F_WRLCK, 0, 0));
	TELL(lock(fd, F_SETLKW, 9, 0, 0));
	TELL(lock(99, F_SETLKW, F_WRLCK, 0, 0));
	TELL(fcntl(fd, F_SETLKW, NULL));
	printf("%d\n", fcntl(fd, F_GETLEASE));
	return 0;
}
