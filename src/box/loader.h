/*
 * Lays the guest over the dynamic loader, so that the kernel starts it in every dynamically linked
 * program, and fills the arena's configuration with what the guest must know of that.
 */
#ifndef STET_BOX_LOADER_H
#define STET_BOX_LOADER_H

#include "arena/layout.h"
#include "box/stage.h"

#define LOADER_PATH "/lib64/ld-linux-x86-64.so.2"

struct loader {
	int guest; /* the guest's file, for FD_GUEST */
	int real;  /* the real loader, for FD_LOADER; -1 when the root has none */
};

/* On the stage, when the root is complete. */
int loader_replace(
	struct stage *stage, struct arena_config *config, struct loader *loader, struct error *err);

#endif
