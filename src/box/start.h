/*
 * From a description of a container to a running one: starts init in its namespaces, lets it go,
 * and watches over it.
 */
#ifndef STET_BOX_START_H
#define STET_BOX_START_H

#include <sys/types.h>

#include "box/container.h"
#include "box/relay.h"

struct started {
	pid_t init;
	int channel; /* the supervisor's end */
	int signals; /* what ends a run, see supervise.h */
};

/*
 * Starts init, which waits. To be called in the main thread: the kernel's signal at the death of
 * the parent means the parent thread's. And before other threads exist, so that init inherits no
 * lock that nobody will release. Signals that end a run are blocked from here on.
 */
int start_init(struct container *container, struct started *started, struct error *err);

/* Writes the id maps and lets init go on. */
int start_go(const struct container *container, struct started *started, struct error *err);

/* Watches over the container and returns when nothing of it is left; the relay has ended then. */
int start_watch(const struct container *container, struct started *started, struct relay *relay,
	struct box_result *result, struct error *err);

/* Instead of start_watch, at any time: ends the container. `relay` may be NULL. */
void start_abandon(struct started *started, struct relay *relay);

#endif
