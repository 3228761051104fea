/* Where this kernel maps the vDSO and its data in a process. */
#ifndef STET_BOX_VDSO_H
#define STET_BOX_VDSO_H

#include "arena/layout.h"
#include "base/error.h"

/* Notes how far the vDSO's data reaches below it, and its own size; both 0 when there is none. */
int vdso_measure(struct arena_config *config, struct error *err);

#endif
