/* Copies of whole directories, so that each run starts from the same state and changes only its own. */
#ifndef STET_VERIFY_TREE_COPY_H
#define STET_VERIFY_TREE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

struct tree_copy {
	const char *from, *to; /* `to` is made; a file is copied as well */
	bool backwards;	       /* names are made in reverse: for other inodes and another order */
	const struct stat *without; /* directories that are left out: where copies lie */
	size_t without_count;
};

/* Keeps attributes and hard links; leaves out sockets. */
int tree_copy(const struct tree_copy *copy, struct error *err);

#endif
