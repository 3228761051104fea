/* How many files, directories and others there are below a directory. */
#ifndef STET_IMAGE_TREE_COUNT_H
#define STET_IMAGE_TREE_COUNT_H

#include <stdint.h>

/* 0, or -1 with errno. */
int tree_count(int root, uint64_t *count);

#endif
