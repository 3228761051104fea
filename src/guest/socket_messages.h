/* Messages of sockets as the kernel takes them, and the parts of memory that they consist of. */
#ifndef STET_GUEST_SOCKET_MESSAGES_H
#define STET_GUEST_SOCKET_MESSAGES_H

#include "guest/sys.h"

struct part {
	uint64_t base, bytes;
};

struct message {
	uint64_t name;
	uint32_t name_bytes, pad;
	uint64_t parts, part_count;
	uint64_t control, control_bytes;
	uint64_t flags;
};

/* In a row of them, each message is followed by what became of it. */
#define MESSAGE_IN_ROW (sizeof(struct message) + 8)

#define PARTS_MAX      1024 /* UIO_MAXIOV */

/* How many bytes there are in all; -1: the kernel will say what is wrong with them. */
int64_t parts_bytes(uint64_t parts, uint64_t count);

/* Some of the parts, from the byte `skip` on, and no more than `limit` bytes. */
#define WINDOW_PARTS 16
struct window {
	struct part parts[WINDOW_PARTS];
	uint64_t count;
};
void window_fill(
	struct window *window, uint64_t parts, uint64_t count, uint64_t skip, uint64_t limit);

/* The times in a message that was received are logical ones. */
void message_times(struct thread *self, uint64_t message);

#endif
