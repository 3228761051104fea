/*
 * A temporary directory, such as one for the private layer where memory cannot hold it. It is gone
 * at the end, however the end comes: a small process outside the container waits for it. Uses base
 * only.
 */
#ifndef STET_BOX_SCRATCH_H
#define STET_BOX_SCRATCH_H

#include <sys/types.h>

#include "base/error.h"

struct scratch {
	char *path; /* absolute, without symbolic links; NULL: there is none */
	int guard;  /* the directory lives until nobody has this open; init has it as well */
	pid_t cleaner;
};

/* Makes a directory below `place`; NULL: below $TMPDIR or /var/tmp. */
int scratch_make(struct scratch *scratch, const char *place, struct error *err);

/* Removes it and waits for that; nothing happens when there is none. */
void scratch_remove(struct scratch *scratch);

#endif
