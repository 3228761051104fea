/*
 * The host's side of --entropy record and replay. A record is a text: a first line that names the
 * format, then a line for each time that a task took random bytes,
 *
 *   NAME PLACE EXECS OFFSET BYTES
 *
 * the task's name, its place in the tree of tasks (16 hexadecimal digits), how many programs it had
 * run, how many bytes it had taken before, and the bytes in hexadecimal. Lines are written whole,
 * in no particular order between tasks. The container can only ask for lines to be added: a thread
 * of the supervisor checks and writes them. Uses arena and base.
 */
#ifndef STET_BOX_ENTROPY_H
#define STET_BOX_ENTROPY_H

#include <pthread.h>
#include <stdbool.h>

#include "box/box.h"

struct entropy {
	const char *path;
	int inside; /* for the container: a socket or the bytes to replay; -1: none */
	int socket; /* the supervisor's end */
	int file;   /* to write to */
	int error;  /* errno of a line that could not be written */
	bool running;
	pthread_t thread;
};

/* Opens what the options ask for; a file to replay is read and checked. */
int entropy_open(struct entropy *entropy, const struct box_config *config, struct error *err);
/* Starts writing; nothing to do for a replay. */
int entropy_start(struct entropy *entropy, struct error *err);
/* When the container has ended: writes what is left. Fails when not everything could be written. */
int entropy_close(struct entropy *entropy, struct error *err);

/* The bytes to replay, for guests (arena/entropy.h): a sealed file made of the record at path. */
int entropy_replay_open(const char *path, struct error *err);

#define ENTROPY_MAGIC "stet entropy "
#define ENTROPY_FIRST ENTROPY_MAGIC "1\n"

#endif
