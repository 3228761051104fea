/* Descriptors that travel between processes by SCM_RIGHTS, and are then used by both. */
#include <sys/socket.h>

#include "race.h"

#define WORKERS 3
#define TASKS	12

static int work[2], results[2];

static void send_descriptor(int over, int fd)
{
	char byte = 'x', space[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *header;

	message.msg_control = space;
	message.msg_controllen = sizeof(space);
	header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	must(sendmsg(over, &message, 0) == 1);
}

static int take_descriptor(int over)
{
	char byte, space[CMSG_SPACE(sizeof(int))];
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	int fd = -1;

	message.msg_control = space;
	message.msg_controllen = sizeof(space);
	if (recvmsg(over, &message, MSG_CMSG_CLOEXEC) == 1)
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

static void *worker(void *number)
{
	close(work[1]);
	for (int fd; (fd = take_descriptor(work[0])) >= 0; close(fd)) {
		dprintf(fd, "%c", 'a' + (int)(long)number);
		compute(500);
	}
	return NULL;
}

int main(void)
{
	char got[TASKS + 1] = "";

	must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, work) == 0);
	start_processes(WORKERS, worker);
	close(work[0]);
	for (int i = 0; i < TASKS; i++) {
		must(pipe(results) == 0);
		send_descriptor(work[1], results[1]);
		close(results[1]);
		must(read(results[0], &got[i], 1) == 1 && read(results[0], &got[i + 1], 1) == 0);
		close(results[0]);
	}
	close(work[1]);
	end_processes(WORKERS);
	printf("%s\n", got);
	return 0;
}
