/*
 * The private layer: directories of the host appear in the container as they are, and changes stay
 * in the container.
 */
#ifndef STET_BOX_LAYER_H
#define STET_BOX_LAYER_H

#include "box/stage.h"

/*
 * Shows the directory `host` (a path of the host) at `inside` (a path of the container), where its
 * parent exists. Directories with mounts below are taken apart, since an overlay cannot be made on
 * them in a user namespace; what cannot be laid over at all is shown read-only.
 */
int layer_directory(struct stage *stage, const char *host, const char *inside, struct error *err);

/* Copies a file or symbolic link of the host, with its attributes. */
int layer_file(struct stage *stage, const char *host, const char *inside, struct error *err);
/* The same, but for its owner, who is the host's affair. */
int layer_copy(struct stage *stage, const char *host, const char *inside, struct error *err);

#endif
