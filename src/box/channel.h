/*
 * The channel between init and the supervisor: a pair of sequenced-packet sockets. The supervisor
 * says once that the container may start; init reports what happens. A closed end means that the
 * other side is gone. Only init and the supervisor hold it, never the command.
 */
#ifndef STET_BOX_CHANNEL_H
#define STET_BOX_CHANNEL_H

#include "base/error.h"

enum message_kind {
	MESSAGE_GO = 1,	  /* to init: the id maps are written; and after MESSAGE_LOOKED: go on */
	MESSAGE_ERROR,	  /* to the supervisor: the container could not be made; error */
	MESSAGE_NOTE,	  /* a remark for --verbose; error.text */
	MESSAGE_TERMINAL, /* the master side of the command's terminal comes with it */
	MESSAGE_DIGEST, /* of the files; error.text, in hexadecimal; their list may come with it */
	MESSAGE_LOOKED, /* the command ended: what is laid out comes with it (looks.h) */
	MESSAGE_STATUS, /* the command ended; status as for waitpid */
};

struct message {
	enum message_kind kind;
	int status;
	struct error error;
};

int channel_open(int ends[2], struct error *err);

/* `fd` goes along when it is not -1. -1 when the other side is gone. */
int channel_send(int channel, const struct message *message, int fd);

/* The descriptor that came along, if any, else -1, is left in *fd. 0 at the end, -1 on error. */
int channel_receive(int channel, struct message *message, int *fd);

/* A remark for --verbose. */
void channel_note(int channel, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
