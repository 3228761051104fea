/* File systems that are served by another process or machine can answer a read or write with less
 * than was asked for, depending on its mood. */
#ifndef STET_BOX_SHORT_COUNTS_H
#define STET_BOX_SHORT_COUNTS_H

#include <stdbool.h>

/* Is there such a file system at this path? */
bool short_counts_at(const char *path);

#endif
