/*
 * When System V objects were made and used is not told; what they are, and whose, is.
 * Does not differ natively within a second.
 */
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static const char *when(time_t time)
{
	static char text[32];

	snprintf(text, sizeof(text), time ? "%ld" : "never", (long)time);
	return text;
}

static void show_memory(void)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	struct shmid_ds info;
	void *at = shmat(id, NULL, 0);

	must(id >= 0 && at != (void *)-1 && shmctl(id, IPC_STAT, &info) == 0);
	printf("memory: %zu bytes, attached %s\n", info.shm_segsz, when(info.shm_atime));
	printf("made %s, by us: %d\n", when(info.shm_ctime), info.shm_cpid == getpid());
	must(shmctl(id, IPC_RMID, NULL) == 0);
}

static void show_semaphores(void)
{
	int id = semget(IPC_PRIVATE, 2, 0600);
	struct sembuf up = { 1, 3, 0 };
	struct semid_ds info;

	must(id >= 0 && semop(id, &up, 1) == 0 && semctl(id, 0, IPC_STAT, &info) == 0);
	printf("semaphores: %lu, used %s\n", info.sem_nsems, when(info.sem_otime));
	printf("made %s, value %d\n", when(info.sem_ctime), semctl(id, 1, GETVAL));
	must(semctl(id, 0, IPC_RMID) == 0);
}

static void show_queue(void)
{
	int id = msgget(IPC_PRIVATE, 0600);
	struct {
		long type;
		char text[4];
	} message = { 1, "abc" };
	struct msqid_ds info;

	must(id >= 0 && msgsnd(id, &message, 4, 0) == 0 && msgctl(id, IPC_STAT, &info) == 0);
	printf("queue: %lu messages, sent %s\n", info.msg_qnum, when(info.msg_stime));
	printf("made %s\n", when(info.msg_ctime));
	must(msgctl(id, IPC_RMID, NULL) == 0);
}

int main(void)
{
	show_memory();
	show_semaphores();
	show_queue();
	return 0;
}
