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
#include "base/hash.h"

/* In the container: gives the master; *slave is the command's side. */
int terminal_make(const struct box_config *config, int *slave, struct error *err);

/* A pipe that can be written takes this much without blocking. */
#define TERMINAL_CHUNK 4096
#define TERMINAL_FDS   3

struct terminal {
	int master;   /* -1: none */
	bool forward; /* standard input goes to the command */
	bool raw;     /* the outer terminal was changed */
	struct termios outer;
	char input[TERMINAL_CHUNK]; /* read from standard input, not taken by the command yet */
	size_t input_length;
	char output[TERMINAL_CHUNK]; /* the command's, not taken by standard output yet */
	size_t output_length;
	bool hashed; /* all of that goes into the hash */
	struct hash hash;
};

/* Starts to relay; `forward` as above, else the command sees the end of its input. */
void terminal_start(struct terminal *terminal, int master, bool forward);

/* What to poll for. */
void terminal_prepare(const struct terminal *terminal, struct pollfd fds[TERMINAL_FDS]);

/* Relays what poll found, without blocking. */
void terminal_relay(struct terminal *terminal, const struct pollfd fds[TERMINAL_FDS]);

/*
 * Restores the outer terminal and relays the rest of the output. `patience` is how many
 * milliseconds a reader may take for each piece of it; -1: any time.
 */
void terminal_stop(struct terminal *terminal, int patience);

#endif
