/* Writing more than the kernel takes at once. */
#ifndef STET_BASE_WRITE_ALL_H
#define STET_BASE_WRITE_ALL_H

#include <stddef.h>

/* 0 when all of it was written, else -1 with errno. */
int write_all(int fd, const void *data, size_t bytes);

#endif
