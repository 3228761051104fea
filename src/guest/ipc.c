/* What System V objects say of themselves: when they were used is told as "never". */
#include "guest/handlers.h"

#define MSG_STAT     11
#define MSG_STAT_ANY 13
#define SHM_STAT     13
#define SHM_STAT_ANY 15
#define SEM_STAT     18
#define SEM_STAT_ANY 20

/* The kernel's clock is real, and nobody knows at which logical time a sender or a receiver
 * came. */
static long without_times(uint64_t description, const uint8_t places[3], long r)
{
	const uint64_t never = 0;

	for (int i = 0; i < 3 && !failed(r); i++)
		if (copy_out(description + places[i], &never, sizeof(never)))
			return -EFAULT;
	return r;
}

long handle_shmctl(struct thread *self)
{
	static const uint8_t places[] = { 56, 64, 72 }; /* shm_atime, shm_dtime, shm_ctime */
	int command = (int)argument(self, 1);
	long r = pass_on(self);

	if (command != IPC_STAT && command != SHM_STAT && command != SHM_STAT_ANY)
		return r;
	return without_times(argument(self, 2), places, r);
}

long handle_msgctl(struct thread *self)
{
	static const uint8_t places[] = { 48, 56, 64 }; /* msg_stime, msg_rtime, msg_ctime */
	int command = (int)argument(self, 1);
	long r = pass_on(self);

	if (command != IPC_STAT && command != MSG_STAT && command != MSG_STAT_ANY)
		return r;
	return without_times(argument(self, 2), places, r);
}

long handle_semctl(struct thread *self)
{
	static const uint8_t places[] = { 48, 64, 64 }; /* sem_otime, sem_ctime */
	int command = (int)argument(self, 2);
	long r = pass_on(self);

	if (command != IPC_STAT && command != SEM_STAT && command != SEM_STAT_ANY)
		return r;
	return without_times(argument(self, 3), places, r);
}
