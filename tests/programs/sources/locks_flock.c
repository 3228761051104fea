/* Who of several processes gets a lock of flock next, and a shared one beside others. */
#include <fcntl.h>
#include <sys/file.h>

#include "contend.h"

static void worker(int who)
{
	int fd = open("lock", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < 5; i++) {
		compute(10 + 7 * (unsigned)((who + i) % 3));
		if (flock(fd, (who + i) % 4 ? LOCK_EX : LOCK_SH))
			_exit(1);
		say("has", who, i);
		usleep(3000);
		if (i == 4)
			close(fd); /* gives it back too */
		else
			flock(fd, LOCK_UN);
	}
}

/* Dies with the lock. */
static void holder(int who)
{
	int fd = open("lock", O_RDWR);

	flock(fd, LOCK_EX);
	say("holds", who, 0);
	usleep(5000);
	if (who == 0)
		abort();
	say("ends", who, 0);
}

int main(void)
{
	int a, b;

	if (contend(4, worker))
		return 1;
	contend(3, holder);
	a = open("lock", O_RDWR);
	b = open("lock", O_RDWR);
	printf("%d ", flock(a, LOCK_EX));
	TELL(flock(b, LOCK_EX | LOCK_NB));
	printf("%d ", flock(a, LOCK_SH));
	printf("%d\n", flock(b, LOCK_SH));
	TELL(flock(b, 77));
	TELL(flock(99, LOCK_EX));
	return 0;
}
