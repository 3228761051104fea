#include "guest/unix_pairs.h"

#include "guest/files.h"
#include "guest/process.h"
#include "guest/sockets.h"

#define NETLINK_SOCK_DIAG   4
#define SOCK_DIAG_BY_FAMILY 20
#define UNIX_DIAG_PEER	    2
#define UDIAG_SHOW_PEER	    4
#define NLM_F_REQUEST	    1
#define SOCK_CLOEXEC	    02000000
#define MSG_DONTWAIT	    0x40
#define PROBES		    16u

struct netlink_head {
	uint32_t bytes;
	uint16_t type, flags;
	uint32_t sequence, port;
};

struct diag_request {
	struct netlink_head head;
	uint8_t family, protocol;
	uint16_t pad;
	uint32_t states, number, show, cookie[2];
};

struct diag_answer {
	struct netlink_head head;
	uint8_t family, type, state, pad;
	uint32_t number, cookie[2];
	struct {
		uint16_t bytes, type;
		uint32_t number;
	} peer;
	uint8_t rest[64];
};

/* The number of the socket at the other end, 0: none. */
static uint32_t ask(uint32_t number)
{
	const struct diag_request request = {
		.head = { sizeof(request), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 0, 0 },
		.family = AF_UNIX,
		.states = ~0u,
		.number = number,
		.show = UDIAG_SHOW_PEER,
		.cookie = { ~0u, ~0u },
	};
	struct diag_answer answer = { 0 };
	long fd = sys(__NR_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG), n;

	if (failed(fd))
		return 0;
	n = sys(__NR_sendto, fd, &request, sizeof(request), MSG_DONTWAIT);
	if (n == (long)sizeof(request))
		n = sys(__NR_recvfrom, fd, &answer, sizeof(answer), MSG_DONTWAIT);
	sys(__NR_close, fd);
	if (failed(n) || answer.head.type != SOCK_DIAG_BY_FAMILY) {
		/* Without the kernel's help, nobody needs to ask again. */
		process.arena->sockets.no_pairs |= n == -ENOENT || answer.head.type != 0;
		return 0;
	}
	return answer.peer.type == UNIX_DIAG_PEER ? answer.peer.number : 0;
}

static uint32_t number_pair(uint32_t least)
{
	struct socket_names *sockets = &process.arena->sockets;

	for (uint32_t i = 0; i < PROBES; i++) {
		struct unix_pair *pair = &process.arena->unix_pairs[(least + i) % UNIX_PAIRS];

		if (!pair->least)
			*pair = (struct unix_pair){ least, ++sockets->pairs };
		if (pair->least == least)
			return pair->number;
	}
	return 0;
}

uint32_t unix_pair(struct thread *self, int fd)
{
	struct file *file = file_of(self, (uint32_t)fd);
	struct kernel_stat st;
	uint32_t peer;

	if (file->tag || process.arena->sockets.no_pairs)
		return file->tag;
	if (sys(__NR_fstat, fd, &st))
		return 0;
	peer = ask((uint32_t)st.ino);
	if (peer)
		file->tag = number_pair(peer < st.ino ? peer : (uint32_t)st.ino);
	return file->tag;
}
