/* System V and POSIX objects between processes: memory, semaphores, messages, locks. */
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void check_system_v(void)
{
	int memory = shmget(IPC_PRIVATE, 4096, 0600), set = semget(IPC_PRIVATE, 1, 0600);
	int queue = msgget(IPC_PRIVATE, 0600), status;
	struct sembuf up = { 0, 1, 0 }, down = { 0, -1, 0 };
	struct {
		long type;
		char text[8];
	} message = { 3, "seven" };
	must(memory >= 0 && set >= 0 && queue >= 0);
	int *shared = shmat(memory, NULL, 0);
	must(shared != (void *)-1);
	pid_t child = fork();
	if (child == 0) {
		*shared = 55;
		must(msgsnd(queue, &message, 6, 0) == 0 && semop(set, &up, 1) == 0);
		_exit(0);
	}
	expect("semop", semop(set, &down, 1), 0);
	expect("shared memory", *shared, 55);
	message.text[0] = 0;
	expect("msgrcv", msgrcv(queue, &message, 8, 3, 0), 6);
	expect("what came", strcmp(message.text, "seven"), 0);
	must(waitpid(child, &status, 0) == child);
	shmctl(memory, IPC_RMID, NULL);
	semctl(set, 0, IPC_RMID);
	msgctl(queue, IPC_RMID, NULL);
	shmdt(shared);
}

static void check_posix(void)
{
	char name[64], text[16] = "";
	struct mq_attr attributes = { .mq_maxmsg = 4, .mq_msgsize = 16 };
	snprintf(name, sizeof(name), "/stet-test-%d", getpid());
	mqd_t queue = mq_open(name, O_CREAT | O_RDWR | O_EXCL, 0600, &attributes);
	must(queue != (mqd_t)-1);
	must(mq_send(queue, "low", 4, 1) == 0 && mq_send(queue, "high", 5, 9) == 0);
	expect("mq_receive", mq_receive(queue, text, 16, NULL), 5);
	expect("highest first", strcmp(text, "high"), 0);
	must(mq_unlink(name) == 0);
	sem_t *semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	must(semaphore != SEM_FAILED);
	pid_t child = fork();
	if (child == 0) {
		sem_post(semaphore);
		_exit(0);
	}
	expect("sem_wait", sem_wait(semaphore), 0);
	must(waitpid(child, NULL, 0) == child && sem_unlink(name) == 0);
	int memory = shm_open(name, O_CREAT | O_RDWR, 0600);
	must(memory >= 0 && ftruncate(memory, 4096) == 0 && shm_unlink(name) == 0);
}

static int lock_in_child(int file, int command, struct flock *lock)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(fcntl(file, command, lock) == 0 ? 0 : errno);
	must(waitpid(child, &status, 0) == child);
	return WEXITSTATUS(status);
}

static void check_locks(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10 };
	int file = open("locked", O_RDWR | O_CREAT, 0600), other = open("locked", O_RDWR);
	must(file >= 0 && other >= 0 && unlink("locked") == 0);
	must(fcntl(file, F_SETLK, &lock) == 0);
	expect("another process's lock", lock_in_child(file, F_SETLK, &lock), EAGAIN);
	lock.l_start = 10;
	expect("behind it", lock_in_child(file, F_SETLK, &lock), 0);
	must(flock(file, LOCK_EX) == 0);
	expect_errno("flock by another description", flock(other, LOCK_EX | LOCK_NB), EWOULDBLOCK);
	must(flock(file, LOCK_UN) == 0);
	expect("after its release", flock(other, LOCK_EX | LOCK_NB), 0);
	lock.l_start = 100;
	must(fcntl(file, F_OFD_SETLK, &lock) == 0);
	expect_errno("another description's lock", fcntl(other, F_OFD_SETLK, &lock), EAGAIN);
}

int main(void)
{
	check_system_v();
	check_posix();
	check_locks();
	return verdict();
}
