/*
 * The command's terminal: a pseudo-terminal of fixed size whose one side is in the container; the
 * supervisor relays between the other side and its own standard input and output.
 */
#ifndef STET_BOX_TERMINAL_H
#define STET_BOX_TERMINAL_H

#include <poll.h>
#include <stdbool.h>
#include <termios.h>

#include "box/box.h"

/* In the container: gives the master; *slave is the command's side. */
int terminal_make(const struct box_config *config, int *slave, struct error *err);

struct terminal {
	int master;   /* -1: none */
	bool forward; /* standard input goes to the command */
	bool raw;     /* the outer terminal was changed */
	struct termios outer;
	char pending[4096]; /* read from standard input, not taken by the command yet */
	size_t pending_length;
};

/* Starts to relay; `forward` as above, else the command sees the end of its input. */
void terminal_start(struct terminal *terminal, int master, bool forward);

/* What to poll for: two entries. */
void terminal_prepare(const struct terminal *terminal, struct pollfd fds[2]);

/* Relays what poll found. */
void terminal_relay(struct terminal *terminal, const struct pollfd fds[2]);

/* Relays the rest of the output and restores the outer terminal. */
void terminal_stop(struct terminal *terminal);

#endif
