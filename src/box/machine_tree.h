/*
 * /sys as programs see it: a small tree of plain files that describes the machine of the run,
 * enough for those who count CPUs, caches, nodes and network interfaces. Made at the start,
 * read-only after.
 */
#ifndef STET_BOX_MACHINE_TREE_H
#define STET_BOX_MACHINE_TREE_H

#include <stdbool.h>

#include "arena/machine.h"
#include "base/error.h"

/* Fills the empty directory `root`. `network`: the loopback interface is up. */
int machine_tree_make(int root, const struct machine *machine, bool network, struct error *err);

#endif
