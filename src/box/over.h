/*
 * Files that lie over those of the image, in the form in which overlays have them: a device 0:0 for
 * what is gone, an attribute for a directory that hides the one below.
 */
#ifndef STET_BOX_OVER_H
#define STET_BOX_OVER_H

#include "box/stage.h"

enum over_kind {
	OVER_NOTHING,
	OVER_DIRECTORY, /* both are seen as one */
	OVER_OPAQUE,	/* a directory, of which alone is seen */
	OVER_FILE,	/* or a symbolic link */
	OVER_GONE,	/* the image's is not seen */
};

/*
 * What there is over the host's `host` that is to be seen at `inside`; its own path on the host is
 * left in `over`.
 */
enum over_kind over_look(
	const struct stage *stage, const char *host, const char *inside, char over[PATH_MAX]);

#endif
