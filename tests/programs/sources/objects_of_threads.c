/* Threads that wait for semaphores, queues, events, locks and FIFOs, which other threads and
 * processes give them. */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/sem.h>
#include <sys/stat.h>

#include "contend.h"

#define THREADS 4

static int set, event, epoll;
static mqd_t queue;

static void *worker(void *argument)
{
	int who = (int)(long)argument;
	struct sembuf take = { 0, -1, 0 }, give = { 0, 1, 0 };
	struct epoll_event found;
	eventfd_t value;
	char message[8] = { (char)who }, name[16];
	int fd;

	for (int i = 0; i < 4; i++) {
		compute(5 + 30 * (unsigned)((who + i) % 3));
		semop(set, &take, 1);
		say("semaphore", who, i);
		usleep(1000);
		semop(set, &give, 1);
		fd = open("lock", O_RDWR | O_CREAT, 0600);
		flock(fd, LOCK_EX);
		say("lock", who, i);
		usleep(1000);
		close(fd);
		if (who % 2) {
			mq_send(queue, message, sizeof(message), 0);
			eventfd_write(event, 1);
		} else {
			mq_receive(queue, message, sizeof(message), NULL);
			say("message", who, message[0]);
			epoll_wait(epoll, &found, 1, -1);
			eventfd_read(event, &value);
			say("event", who, (int)value);
		}
	}
	snprintf(name, sizeof(name), "fifo%d", who / 2);
	mkfifo(name, 0600);
	fd = open(name, who % 2 ? O_WRONLY : O_RDONLY);
	if (who % 2)
		message[0] = write(fd, "x", 1) == 1 ? 1 : 0;
	else
		message[0] = read(fd, message, 1) >= 0 ? 1 : 0;
	close(fd);
	return (void *)(long)message[0];
}

static void process(int who)
{
	pthread_t threads[THREADS];
	void *result;
	long all = 0;

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(i + 10 * who));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		all += (long)result;
	}
	say("joined", who, (int)all);
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	struct epoll_event wanted = { .events = EPOLLIN };

	set = semget(IPC_PRIVATE, 1, 0600);
	semctl(set, 0, SETVAL, 1);
	event = eventfd(0, EFD_SEMAPHORE);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted);
	queue = mq_open("/objects_of_threads", O_CREAT | O_RDWR, 0600, &attributes);
	mq_unlink("/objects_of_threads");
	contend(2, process);
	semctl(set, 0, IPC_RMID);
	return 0;
}
