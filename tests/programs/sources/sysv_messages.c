/* Who of several processes gets the next message of a System V queue, and who may send into a full
 * one. */
#include <sys/msg.h>

#include "contend.h"

static int queue;
struct message {
	long type;
	int from, number;
	char rest[3000];
};
#define BYTES (sizeof(struct message) - sizeof(long))

static void worker(int who)
{
	struct message message = { .type = 1 + who % 2, .from = who };

	for (int i = 0; i < 6; i++) {
		compute(10 + 7 * (unsigned)((who + i) % 3));
		if (who < 3) {
			message.number = i;
			if (msgsnd(queue, &message, BYTES, 0))
				_exit(1);
		} else {
			if (msgrcv(queue, &message, BYTES,
				    who == 3   ? 1
				    : who == 4 ? -2
					       : 0,
				    0) != BYTES)
				_exit(1);
			say(who == 3	   ? "first"
				: who == 4 ? "second"
					   : "third",
				message.from, message.number);
		}
	}
}

/* A message goes to who waits for it, not back to its sender. */
static void boomerang(int who)
{
	struct message message = { .type = 9, .from = who };

	if (who == 0) {
		usleep(20000);
		for (int i = 0; i < 3; i++)
			msgsnd(queue, &message, 8, 0);
		say("left", who, (int)msgrcv(queue, &message, BYTES, 9, IPC_NOWAIT));
	} else {
		msgrcv(queue, &message, BYTES, 9, 0);
		say("got", who, message.from);
	}
}

static void bereft(int who)
{
	struct message message = { .type = 1 };

	if (who == 2) {
		usleep(3000);
		msgctl(queue, IPC_RMID, NULL);
		return;
	}
	msgrcv(queue, &message, BYTES, 0, 0);
	say(strerror(errno), who, 0);
}

int main(void)
{
	struct message message = { .type = 0 };

	queue = msgget(IPC_PRIVATE, 0600);
	if (contend(6, worker) || contend(4, boomerang))
		return 1;
	TELL(msgrcv(queue, &message, BYTES, 0, IPC_NOWAIT));
	TELL(msgsnd(queue, &message, BYTES, 0));
	TELL(msgsnd(queue, &message, 1 << 20, 0));
	message.type = 1;
	while (msgsnd(queue, &message, BYTES, IPC_NOWAIT) == 0)
		;
	printf("%s\n", strerror(errno));
	TELL(msgrcv(queue, &message, 1, 0, 0));
	while (msgrcv(queue, &message, BYTES, 0, IPC_NOWAIT) > 0)
		;
	fflush(stdout);
	contend(3, bereft);
	TELL(msgrcv(queue, &message, 1, 0, 0));
	return 0;
}
