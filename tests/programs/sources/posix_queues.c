/* Who of several processes gets the next message of a POSIX queue, who may send into a full one,
 * and who is told of a message by a signal. */
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>

#include "contend.h"

static mqd_t queue;

static void worker(int who)
{
	int message[2] = { who, 0 };
	unsigned priority = (unsigned)who;

	for (int i = 0; i < 6; i++) {
		compute(10 + 7 * (unsigned)((who + i) % 3));
		if (who < 3) {
			message[1] = i;
			if (mq_send(queue, (char *)message, sizeof(message), priority))
				_exit(1);
			usleep(1500);
		} else {
			if (mq_receive(queue, (char *)message, sizeof(message), &priority) !=
				sizeof(message))
				_exit(1);
			say(who == 3	   ? "first"
				: who == 4 ? "second"
					   : "third",
				message[0], message[1]);
		}
	}
}

static volatile sig_atomic_t told;

static void on_message(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	told += info->si_value.sival_int;
	if (info->si_code != SI_MESGQ)
		told += 1000;
}

static void watcher(int who)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7
	};
	struct sigaction action = { .sa_sigaction = on_message, .sa_flags = SA_SIGINFO };
	struct pollfd poll_in = { .fd = queue, .events = POLLIN };
	int message[2] = { 0, 0 };
	sigset_t usr1, before;

	if (who == 1) {
		usleep(20000);
		say("is taken", who, mq_notify(queue, &event) ? errno == EBUSY : -1);
		mq_send(queue, (char *)message, sizeof(message), 0);
		usleep(20000);
		mq_send(queue, (char *)message, sizeof(message), 0);
		return;
	}
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, &before);
	if (mq_notify(queue, &event))
		_exit(1);
	while (!told)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	say("told", who, told);
	say("polled", who, poll(&poll_in, 1, -1));
	mq_receive(queue, (char *)message, sizeof(message), NULL);
	mq_notify(queue, &event);
	mq_receive(queue, (char *)message, sizeof(message), NULL); /* comes here, not as a signal */
	say("told", who, told);
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	struct timespec limit = { 0, 1000000000 };
	char message[8];

	queue = mq_open("/posix_queues", O_CREAT | O_RDWR, 0600, &attributes);
	mq_unlink("/posix_queues");
	if (contend(6, worker) || contend(2, watcher))
		return 1;
	TELL(mq_timedsend(queue, message, 8, 0, &limit));
	TELL(mq_send(queue, message, 9, 0));
	TELL(mq_receive(queue, message, 7, NULL));
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	TELL(mq_timedreceive(queue, message, 8, NULL, &limit));
	TELL(mq_timedreceive(99, message, 8, NULL, &limit));
	TELL(mq_notify(1, NULL));
	return 0;
}
