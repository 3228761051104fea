/* POSIX message queues: the highest priority first, in order within one, and an empty one is
 * told. */
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static void show(mqd_t queue, int count)
{
	char message[64];
	unsigned int priority;

	for (int i = 0; i < count; i++) {
		ssize_t n = mq_receive(queue, message, sizeof(message), &priority);

		must(n >= 0);
		printf("priority %u: %.*s\n", priority, (int)n, message);
	}
}

static void send(mqd_t queue, const char *text, unsigned int priority)
{
	char message[64];
	int size = snprintf(message, sizeof(message), "%s from %d", text, getpid());

	must(mq_send(queue, message, (size_t)size, priority) == 0);
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 4, .mq_msgsize = 64 };
	char name[32];

	snprintf(name, sizeof(name), "/queue_of_%d", getpid());
	mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);

	must(queue != (mqd_t)-1 && mq_unlink(name) == 0);
	send(queue, "low", 1);
	send(queue, "high", 9);
	send(queue, "low again", 1);
	must(mq_getattr(queue, &attributes) == 0);
	expect("messages", attributes.mq_curmsgs, 3);
	expect("room", attributes.mq_maxmsg, 4);
	show(queue, 3);

	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 3; i++)
			send(queue, "child", (unsigned int)i);
		_exit(0);
	}
	must(waitpid(child, NULL, 0) == child);
	show(queue, 3);
	struct timespec past = { 0, 0 };
	char message[64];

	expect_errno(
		"empty", mq_timedreceive(queue, message, sizeof(message), NULL, &past), ETIMEDOUT);
	return verdict();
}
