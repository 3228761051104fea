/*
 * The stage: while the container's root is built, init's own root is a small tmpfs with the host's
 * root below STAGE_HOST and the new one below STAGE_ROOT. It is gone when the container runs.
 */
#ifndef STET_BOX_STAGE_H
#define STET_BOX_STAGE_H

#include <limits.h>

#include "base/error.h"
#include "box/box.h"
#include "box/mountinfo.h"
#include "box/record.h"

#define STAGE_HOST  "/host"
#define STAGE_ROOT  "/new"
#define STAGE_LAYER "/layer"
#define STAGE_UPPER STAGE_LAYER "/upper" /* and a number */
#define STAGE_WORK  STAGE_LAYER "/work"	 /* likewise */
#define STAGE_GUEST "/guest"

#define STAGE_PATH  (PATH_MAX + 16)

struct stage {
	const struct box_config *config;
	struct mountinfo mounts; /* the host's */
	struct record record;
	const char *over;  /* what lies over the image, while that is laid out; else NULL */
	int notes;	   /* channel for remarks, or -1 */
	bool own_root;	   /* the root is this machine's own: not all of it is shown (fresh.h) */
	bool held;	   /* a mount is made whose changes are held back */
	bool loopback;	   /* the loopback interface is set as guests need it (loopback.h) */
	bool foreign;	   /* a layer lies over files of users that the container does not have */
	bool short_counts; /* a layer lies over a file system that can move less than asked */
};

/*
 * Enters the stage: afterwards only the STAGE_ paths are there. The private layer lies in the
 * host's directory `scratch`, or in memory when that is NULL.
 */
int stage_enter(struct stage *stage, const char *scratch, struct error *err);

/* Makes STAGE_ROOT the root and lets go of everything else. */
int stage_leave(struct error *err);

#endif
