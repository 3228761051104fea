/*
 * Writes what a run created or changed as a tree: files with their modes, times, owners and links.
 * What it deleted is listed in SAVE_DELETIONS, one path per line; a directory that was replaced is
 * listed too. Who deletes the listed paths and then copies the tree gets the final state. Sockets
 * are left out.
 */
#ifndef STET_BOX_SAVE_H
#define STET_BOX_SAVE_H

#include "box/changes.h"

#define SAVE_DELETIONS ".stet-deletions"

/* Writes everything into the directory `target`. No other process may run in the container. */
int save_write(const struct changes *changes, int target, struct error *err);

/* Opens the empty directory `path`, made when it is missing; -1 with err when it has files. */
int save_open(const char *path, struct error *err);

#endif
