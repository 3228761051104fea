/* Message queues, of POSIX and System V, with several senders and receivers: who gets what; and
 * semaphores of System V, whose operations are taken back at an exit. */
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "race.h"

#define MEMBERS 3
#define EACH	8

struct message {
	long type;
	char text[8];
};

static int queue, semaphores;
static mqd_t posix;
static char (*got)[MEMBERS * EACH * 3 + 1];
static char *order;
static int *entered;

static void *work(void *number)
{
	long who = (long)number;
	struct sembuf enter = { 0, -1, SEM_UNDO };

	for (int i = 0; i < EACH; i++) {
		struct message message = { 1 + i % 2, "" };
		char text[8];

		snprintf(message.text, sizeof(message.text), "%c%d", 'a' + (int)who, i);
		if (who < MEMBERS) {
			must(msgsnd(queue, &message, 3, 0) == 0);
			must(mq_send(posix, message.text, 3, (unsigned)i % 2) == 0);
			continue;
		}
		must(msgrcv(queue, &message, sizeof(message.text), -2, 0) == 3);
		must(mq_receive(posix, text, sizeof(text), NULL) == 3);
		strcat(got[who - MEMBERS], message.text);
		strcat(got[who], text);
	}
	must(semop(semaphores, &enter, 1) == 0);
	order[(*entered)++] = (char)('a' + who);
	return NULL;
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 4, .mq_msgsize = 8 };

	queue = msgget(IPC_PRIVATE, 0600);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	posix = mq_open("/stet-queue", O_RDWR | O_CREAT, 0600, &attributes);
	must(queue >= 0 && semaphores >= 0 && posix >= 0);
	must(semctl(semaphores, 0, SETVAL, 1) == 0);
	got = shared_memory(sizeof(*got) * 2 * MEMBERS);
	order = shared_memory(4096);
	entered = (int *)(order + 64);
	in_processes(2 * MEMBERS, work);
	for (int i = 0; i < MEMBERS; i++)
		printf("receiver %d: %s, %s\n", i, got[i], got[MEMBERS + i]);
	printf("%s\n", order);
	must(semctl(semaphores, 0, GETVAL) == 1);
	must(msgctl(queue, IPC_RMID, NULL) == 0 && semctl(semaphores, 0, IPC_RMID) == 0);
	must(mq_unlink("/stet-queue") == 0);
	return 0;
}
