#include "box/channel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int channel_open(int ends[2], struct error *err)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_set(err, errno, "cannot make a pair of sockets");
	return 0;
}

int channel_send(int channel, const struct message *message, int fd)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec part = { (void *)message, sizeof(*message) };
	struct msghdr packet = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		packet.msg_control = &control;
		packet.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	}
	return sendmsg(channel, &packet, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int channel_receive(int channel, struct message *message, int *fd)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec part = { message, sizeof(*message) };
	struct msghdr packet = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	*fd = -1;
	do
		n = recvmsg(channel, &packet, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return (int)n;
	if (packet.msg_controllen >= CMSG_LEN(sizeof(int)) &&
		control.header.cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(&control.header), sizeof(*fd));
	message->error.text[sizeof(message->error.text) - 1] = '\0';
	return 1;
}

void channel_note(int channel, const char *format, ...)
{
	struct message message = { .kind = MESSAGE_NOTE };
	va_list args;

	va_start(args, format);
	vsnprintf(message.error.text, sizeof(message.error.text), format, args);
	va_end(args);
	channel_send(channel, &message, -1);
}
