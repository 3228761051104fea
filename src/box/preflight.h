/* Why this machine does not let a container be made, in words that say what to change. */
#ifndef STET_BOX_PREFLIGHT_H
#define STET_BOX_PREFLIGHT_H

#include "arena/cpu_model.h"
#include "base/error.h"

/* Refuses kernels that lack what a container needs. */
int preflight_kernel(const char *release, struct error *err);

/* Refuses a CPU that this machine's cannot stand in for. */
int preflight_cpu(const struct machine *machine, enum cpu_counter counter, struct error *err);

/* Fills err for the failure `cause` of `what`, which no sound machine shows. Returns -1. */
int preflight_explain(int cause, const char *what, struct error *err);

#endif
