/* Pid 1 of the container: makes it, starts the command, reaps, reports, and ends it. */
#ifndef STET_BOX_INIT_H
#define STET_BOX_INIT_H

#include "box/container.h"

/* Runs in the new process, in its new namespaces. `other_end` is the supervisor's, to be closed. */
_Noreturn void init_run(const struct container *container, int other_end);

#endif
