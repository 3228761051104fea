/*
 * The directories of a tree that is being unpacked. Each is walked to without following links; while
 * things are put into it, its owner may do everything with it; modes and times that it is to have
 * come at the end. Those of directories that were there before come back.
 */
#ifndef STET_IMAGE_FOLDERS_H
#define STET_IMAGE_FOLDERS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "image/names.h"

struct folder {
	const char *path; /* belongs to `names` */
	mode_t mode;
	struct timespec changed;
};

struct folders {
	int root;	     /* not theirs */
	bool give;	     /* new ones are root's */
	int fd;		     /* the last one that was opened */
	char path[PATH_MAX]; /* its path */
	struct folder *list; /* each comes behind the one that it is in */
	size_t count, room;
	struct names names;
};

void folders_start(struct folders *folders, int root, bool give);
/* The directory of this path, "" for the root, to be used until the next call; with `make` what is
 * missing is made. -1 and errno: ENOTDIR when there is a link or a file in the way. */
int folders_open(struct folders *folders, const char *path, bool make);
/* Something was deleted or replaced: the next one is walked to from the root. */
void folders_close(struct folders *folders);
/* What the directory is to have at the end. It need not be there yet. */
int folders_set(
	struct folders *folders, const char *path, mode_t mode, const struct timespec *changed);
/* Gives all of them modes and times. */
int folders_finish(struct folders *folders, struct error *err);
void folders_release(struct folders *folders);

#endif
