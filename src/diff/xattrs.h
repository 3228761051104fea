/* Extended attributes of files in directories, but for those that only this machine has a use for. */
#ifndef STET_DIFF_XATTRS_H
#define STET_DIFF_XATTRS_H

#include "diff/node.h"

/* Says how those of two open files differ, if they do; *node is made when there is none. -1 without
 * memory. */
int xattrs_compare(const int fds[2], struct node **node, const char *name, const char *format);

#endif
