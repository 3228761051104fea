/*
 * What the supervisor, init (pid 1 of the container) and the command process share: made by the
 * supervisor before the container exists, inherited by the other two, never changed after.
 */
#ifndef STET_BOX_CONTAINER_H
#define STET_BOX_CONTAINER_H

#include "arena/layout.h"
#include "box/box.h"
#include "box/digest.h"
#include "box/relay.h"
#include "box/streams.h"

/* A run may take two attempts, see again.h: what one is told, and what it tells. */
struct attempt {
	bool optimistic;	     /* tasks may run ahead, and it may have to be given up */
	double started;		     /* when the run began, by supervise_now */
	const struct passed *before; /* output of an attempt that was given up, or NULL */
	bool given_up;		     /* set, when it was */
	char why[sizeof(((struct fatal *)0)->text) + 1];
	struct passed passed[2]; /* the output until then */
};

struct container {
	const struct box_config *config;
	struct attempt *attempt;
	struct arena *arena; /* shared mapping */
	int arena_fd;
	int request_fd; /* the container's end of the code service's socket, or -1 */
	struct streams *streams;
	int entropy_fd;	       /* the container's end of struct entropy, or -1 */
	int save_fd;	       /* where changed files go, or -1 */
	struct digest_own own; /* what --digest leaves out */
	int channel;	       /* init's end of the channel to the supervisor */
	char *cache;	       /* the code cache on the host, without symbolic links, or NULL */
	char *scratch;	       /* host directory for the private layer; NULL: it lies in memory */
};

#endif
