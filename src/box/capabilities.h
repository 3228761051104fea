/* What the command may do in its own container. */
#ifndef STET_BOX_CAPABILITIES_H
#define STET_BOX_CAPABILITIES_H

#include "base/error.h"

/* Limits the process, and all that it starts, to what root of an ordinary container may do. */
int capabilities_limit(struct error *err);

#endif
