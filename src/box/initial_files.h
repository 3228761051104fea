/* Files of the host that are put into the container's root as if they were the image's own. */
#ifndef STET_BOX_INITIAL_FILES_H
#define STET_BOX_INITIAL_FILES_H

#include "box/stage.h"

/*
 * Makes those of the configuration, when mounts have been made. In a `rw` mount they are written to
 * the host, where a file with other content is never replaced.
 */
int initial_files_make(struct stage *stage, struct error *err);

#endif
