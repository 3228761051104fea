/*
 * An initial file that changes is copied into the upper layer of its overlay. It keeps its number
 * only as long as the kernel keeps its name in memory: in a user namespace it cannot find out later
 * what the copy was made from. So the supervisor holds such files open, by name only, until the
 * end.
 */
#ifndef STET_GUEST_KEEP_H
#define STET_GUEST_KEEP_H

#include "guest/names.h"

/* The file changed, or was opened to be changed. */
void keep_descriptor(struct inode *inode, uint64_t fd);
void keep_name(struct inode *inode, struct name name, uint64_t flags);

#endif
