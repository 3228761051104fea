/*
 * Files of the private layer as programs saw them: owners and times are those that the container
 * showed, whoever owns the copy there, and whenever it was made. What --save writes and what
 * --digest says of a file has to agree, so both ask here.
 */
#ifndef STET_BOX_SEEN_H
#define STET_BOX_SEEN_H

#include "box/changes.h"

/* What the container knows of the file at this path inside, or NULL. */
const struct inode *seen_inode(const struct changes *changes, const char *path);

/* Its status, with owner and times as seen. Initial files have the time that all of them show. */
struct stat seen_status(const struct changes *changes, const struct change *change);

#endif
