/*
 * What the guest must know of the kernel's file systems to show one machine's: the devices of those
 * that are not ordinary, and of what is mounted of the host.
 */
#ifndef STET_BOX_FILE_SYSTEMS_H
#define STET_BOX_FILE_SYSTEMS_H

#include "box/container.h"

/* To be called when init has entered the container's root. What is not there stays 0. */
void file_systems_note(const struct box_config *config, struct arena_config *arena);

#endif
