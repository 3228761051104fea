/* Opening files below a directory that nothing leads out of. */
#ifndef STET_BASE_WITHIN_H
#define STET_BASE_WITHIN_H

#include <linux/openat2.h>

/*
 * openat2. Where somebody mounts or renames something, anywhere on the machine, the kernel is not
 * sure of ".." on the way and answers EAGAIN: it is asked again. -1 with errno.
 */
int open_within(int root, const char *path, int flags, unsigned resolve);

#endif
