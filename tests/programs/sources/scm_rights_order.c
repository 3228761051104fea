/* Descriptors that five processes pass to a sixth over one UNIX socket: in which order they come,
 * with whose credentials, and what is written through them, is the same each time. */
#include "sockets.h"

#define SENDERS 5

static void sender(int number, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = "", text = (char)('a' + number);
	struct iovec part = { &text, 1 };
	struct msghdr message = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	int ends[2];

	must(pipe(ends) == 0);
	*head = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))
	};
	memcpy(CMSG_DATA(head), &ends[0], sizeof(int));
	must(sendmsg(fd, &message, 0) == 1);
	dprintf(ends[1], "by %d", getpid());
}

static void receive(int fd)
{
	char control[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))], text,
		rest[20] = "";
	struct iovec part = { &text, 1 };
	struct msghdr message = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct ucred who = { 0 };
	int passed = -1;

	must(recvmsg(fd, &message, 0) == 1);
	for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head;
		head = CMSG_NXTHDR(&message, head)) {
		if (head->cmsg_type == SCM_RIGHTS)
			memcpy(&passed, CMSG_DATA(head), sizeof(passed));
		else if (head->cmsg_type == SCM_CREDENTIALS)
			memcpy(&who, CMSG_DATA(head), sizeof(who));
	}
	must(read(passed, rest, sizeof(rest) - 1) > 0);
	printf("%c from %d as %d: %s\n", text, who.pid, passed, rest);
}

int main(void)
{
	const int on = 1;
	int pair[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	must(setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0);
	for (int i = 0; i < SENDERS; i++)
		start(i, sender, pair[1]);
	for (int i = 0; i < SENDERS; i++)
		receive(pair[0]);
	wait_for_all();
	return 0;
}
