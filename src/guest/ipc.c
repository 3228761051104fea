/* What System V objects say of themselves: when they were used is told as "never". */
#include "guest/handlers.h"
#include "guest/messages.h"
#include "guest/process.h"
#include "guest/semaphores.h"

#define MSG_STAT     11
#define MSG_STAT_ANY 13
#define SHM_STAT     13
#define SHM_STAT_ANY 15
#define SEM_STAT     18
#define SEM_STAT_ANY 20

/* Where each call has its command and the description, and which commands describe. */
struct control {
	int command, description;
	int describe, describe_any;
	uint8_t times[3]; /* where they lie in the description */
};

/* The kernel's clock is real; at which logical time a sender or a receiver came, nobody knows. */
static long describe(struct thread *self, const struct control *control)
{
	int command = (int)argument(self, control->command);
	const uint64_t never = 0;
	long r = pass_on(self);

	if (failed(r) || (process.relax & RELAX_TIME) ||
		(command != IPC_STAT && command != control->describe &&
			command != control->describe_any))
		return r;
	for (int i = 0; i < 3; i++)
		if (copy_out(argument(self, control->description) + control->times[i], &never,
			    sizeof(never)))
			return -EFAULT;
	return r;
}

long handle_shmctl(struct thread *self)
{
	static const struct control shared_memory = { 1, 2, SHM_STAT, SHM_STAT_ANY,
		{ 56, 64, 72 } };

	return describe(self, &shared_memory);
}

static long describe_queue(struct thread *self)
{
	static const struct control queue = { 1, 2, MSG_STAT, MSG_STAT_ANY, { 48, 56, 64 } };

	return describe(self, &queue);
}

long handle_msgctl(struct thread *self)
{
	return messages_control(self, describe_queue);
}

static long describe_semaphores(struct thread *self)
{
	/* There are two times only. */
	static const struct control semaphores = { 2, 3, SEM_STAT, SEM_STAT_ANY, { 48, 64, 64 } };

	return describe(self, &semaphores);
}

long handle_semctl(struct thread *self)
{
	return semaphores_control(self, describe_semaphores);
}
