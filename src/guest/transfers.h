/*
 * Bytes, or connections, that go through a socket by one call of the program: tried without
 * waiting, in turn, again and again, with the task parked between. Uses connections, packets and
 * waits.
 */
#ifndef STET_GUEST_TRANSFERS_H
#define STET_GUEST_TRANSFERS_H

#include "guest/sys.h"

#define MSG_OOB	       1u
#define MSG_PEEK       2u
#define MSG_DONTWAIT   0x40u
#define MSG_WAITALL    0x100u
#define MSG_ERRQUEUE   0x2000u
#define MSG_MORE       0x8000u
#define MSG_WAITFORONE 0x10000u

struct transfer {
	uint64_t fd;
	uint32_t flags;
	uint64_t base;		   /* a plain buffer ... */
	uint64_t parts, count;	   /* ... or parts of memory, when there are some */
	uint64_t message;	   /* the program's own message, or 0 */
	uint64_t name, name_bytes; /* as sendto and recvfrom have them */
	uint64_t control, control_bytes;
	uint64_t total, done;
	bool whole; /* it goes on until all is done */
	bool sends, connects;
	uint64_t deadline; /* of SO_RCVTIMEO or SO_SNDTIMEO; 0: not asked for yet */
	bool limited;	   /* there is such a limit */
	long (*attempt)(struct thread *self, struct transfer *transfer);
};

/* Of the call's first three arguments: descriptor, buffer, length. */
struct transfer transfer_plain(struct thread *self, bool sends);
/* The message at `place` in the program's memory is what is to be moved. */
void transfer_take_message(struct transfer *transfer, uint64_t place);

/* Its attempt, until that does not answer -EAGAIN, or the program does not want to wait any
 * more. */
long transfer_once(struct thread *self, struct transfer *transfer);
/* Again until all is done, when it is to be done as a whole. */
long transfer_run(struct thread *self, struct transfer *transfer);
/* So many bytes were sent through the socket: waits until they have arrived, and counts them. */
void transfer_sent(struct thread *self, uint64_t fd, uint64_t bytes);

#endif
