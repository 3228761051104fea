/* Who of several processes that wait for semaphores goes on next, with operations undone by
 * deaths. */
#include <sys/sem.h>

#include "contend.h"

static int set;

static int operate(unsigned short number, short change, short flags)
{
	struct sembuf one = { number, change, flags };

	return semop(set, &one, 1);
}

static void worker(int who)
{
	for (int i = 0; i < 5; i++) {
		struct sembuf both[2] = { { 0, -1, 0 },
			{ 1, (short)(who % 2 ? -1 : 0), SEM_UNDO } };

		if (who % 2 == 0)
			both[1].sem_op = -2;
		compute(10 + 7 * (unsigned)((who + i) % 3));
		if (semop(set, both, 2))
			_exit(1);
		say("has", who, i);
		usleep(3000);
		both[0].sem_op = 1;
		both[1].sem_op = (short)-both[1].sem_op;
		semop(set, both, 2);
	}
}

/* Who gives and takes again does not get ahead of who waits. */
static void fair(int who)
{
	for (int i = 0; i < 4; i++) {
		operate(0, -1, 0);
		say("turn", who, i);
		usleep(2000);
		operate(0, 1, 0);
	}
}

/* What it took comes back with its death. */
static void mortal(int who)
{
	if (operate(0, -1, SEM_UNDO))
		_exit(1);
	say("took", who, semctl(set, 0, GETVAL));
	usleep(3000);
	if (who % 2)
		abort();
}

static void zero(int who)
{
	struct timespec limit = { 0, 10000000 * (who + 1) };
	struct sembuf wait = { 2, 0, 0 };

	if (who == 3) {
		usleep(25000);
		printf("%d wait for 0, %d for more\n", semctl(set, 2, GETZCNT),
			semctl(set, 2, GETNCNT));
		fflush(stdout);
		operate(2, -1, 0);
		return;
	}
	say("zero", who, semtimedop(set, &wait, 1, &limit) ? errno == EAGAIN ? 1 : 2 : 0);
}

static void bereft(int who)
{
	if (who == 2) {
		usleep(3000);
		semctl(set, 0, IPC_RMID);
		return;
	}
	operate(3, -1, 0);
	say(strerror(errno), who, 0);
}

int main(void)
{
	unsigned short values[4] = { 2, 3, 1, 0 };

	set = semget(IPC_PRIVATE, 4, 0600);
	semctl(set, 0, SETALL, values);
	if (contend(4, worker))
		return 1;
	operate(0, -1, 0);
	contend(3, fair);
	contend(4, mortal);
	contend(4, zero);
	TELL(operate(3, -1, IPC_NOWAIT));
	TELL(operate(9, -1, 0));
	TELL(semop(set, NULL, 1));
	TELL(semop(set, NULL, 0));
	TELL(semop(set, NULL, 1000));
	fflush(stdout);
	contend(3, bereft);
	TELL(operate(0, 1, 0));
	return 0;
}
