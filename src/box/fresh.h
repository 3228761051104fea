/*
 * What of the host's root is not shown, since it tells about this machine and this moment rather
 * than about an image: directories that are empty after a boot, and the few files that name the
 * machine.
 */
#ifndef STET_BOX_FRESH_H
#define STET_BOX_FRESH_H

#include "box/stage.h"

/* Is the directory empty in the container? Then it has this mode. */
bool fresh_directory(const struct stage *stage, const char *inside, mode_t *mode);

/* Makes it in a place where it is not yet, or where an overlay will show the host's. */
int fresh_make(struct stage *stage, const char *inside, const char *target, struct error *err);

/* Writes the file in the container's own form; 0: it has none. -1 with err. */
int fresh_file(struct stage *stage, const char *inside, const char *target, struct error *err);

/* The same for all that lies below `overlay`, into its upper directory before it is mounted. */
int fresh_put(struct stage *stage, const char *overlay, const char *upper, struct error *err);

/* An image, laid out already, gets those in /etc that programs need to find localhost, where it has
 * none of its own. */
int fresh_complete(struct stage *stage, struct error *err);

/* What such files and directories are at the start of a run. */
#define FRESH_TEXT 512
bool fresh_text(const struct box_config *config, const char *inside, char text[FRESH_TEXT]);
mode_t fresh_mode(const char *inside);

#endif
