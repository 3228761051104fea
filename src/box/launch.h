/* The command process, from its birth to the guest's start. */
#ifndef STET_BOX_LAUNCH_H
#define STET_BOX_LAUNCH_H

#include "box/container.h"

/* Descriptors of the process, before they get their hidden numbers; -1: not there. */
struct launch {
	int guest, loader, code, proc;
	int terminal; /* the command's side, or -1 */
};

/* Does not return when it succeeds. */
int launch_command(
	const struct container *container, const struct launch *launch, struct error *err);

#endif
