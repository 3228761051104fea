/* Who of several processes gets what is in an eventfd, as a whole or one by one, and who may add to
 * a full one. */
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "contend.h"

static int counter, semaphore, full;

static void worker(int who)
{
	eventfd_t value = (eventfd_t)(who + 1);

	for (int i = 0; i < 6; i++) {
		compute(5 + 7 * (unsigned)((who + i) % 3));
		if (who < 2) {
			usleep(1500);
			if (eventfd_write(counter, value) || eventfd_write(semaphore, value))
				_exit(1);
		} else if (who < 4) {
			if (eventfd_read(semaphore, &value))
				_exit(1);
			say("one", who, (int)value);
		}
	}
	for (int got = 0; who == 4 && got < 18; got += (int)value) {
		if (eventfd_read(counter, &value))
			_exit(1);
		say("all", who, (int)value);
	}
}

static void filler(int who)
{
	eventfd_t value = 10;

	if (who == 0) {
		usleep(20000);
		eventfd_read(full, &value);
		say("emptied", who, value == 0xfffffffffffffffd);
	} else {
		eventfd_write(full, value);
		say("added", who, (int)value);
	}
}

/* Who asks again and again lets others go on. */
static void asker(int who)
{
	eventfd_t value = 1;
	int tries = 0;

	if (who == 1) {
		compute(1000);
		eventfd_write(counter, 1);
		return;
	}
	fcntl(counter, F_SETFL, O_NONBLOCK);
	while (eventfd_read(counter, &value))
		tries += errno == EAGAIN;
	say("asked", who, tries);
}

int main(void)
{
	eventfd_t value;

	counter = eventfd(0, 0);
	semaphore = eventfd(0, EFD_SEMAPHORE);
	full = eventfd(0, 0);
	eventfd_write(full, 0xfffffffffffffffd);
	if (contend(5, worker) || contend(3, filler))
		return 1;
	eventfd_read(full, &value);
	say("left", 0, (int)value);
	contend(2, asker);
	TELL(write(counter, &value, 7));
	value = ~0ull;
	TELL(write(counter, &value, 8));
	TELL(read(counter, &value, 8));
	TELL(read(semaphore, &value, 4));
	return 0;
}
