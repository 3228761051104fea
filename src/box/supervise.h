/*
 * Watches over a running container until it has ended: its messages, signals to Stet, the timeout,
 * conditions that end the run, and the terminal.
 */
#ifndef STET_BOX_SUPERVISE_H
#define STET_BOX_SUPERVISE_H

#include <sys/types.h>

#include "box/container.h"
#include "box/relay.h"

struct supervision {
	const struct box_config *config;
	struct attempt *attempt;
	const struct arena *arena;
	pid_t init;
	int arena_fd;
	int channel;	/* the supervisor's end */
	int signals_fd; /* signalfd of what ends the run, see supervise_block */
	struct relay *relay;
};

/* From now on the signals that end a run are read from the result, a signalfd. */
int supervise_block(struct error *err);

/* Seconds of real time. */
double supervise_now(void);

/* Returns when no process of the container is left, and all its output is out. The result is empty
 * when the attempt was given up. */
int supervise(struct supervision *supervision, struct box_result *result, struct error *err);

#endif
