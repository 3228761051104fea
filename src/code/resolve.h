/* What the code cache has for an open file: looks it up, or reads, rewrites and stores it. */
#ifndef STET_CODE_RESOLVE_H
#define STET_CODE_RESOLVE_H

#include "code/store.h"

#define RESOLVE_LIMIT                                                                              \
	(512ull << 20) /* bigger files are left as they are: they are read into memory */

/*
 * True when a checked copy lies in the store: `name` and `header` tell where and how. False when
 * the file is to be used as it is. Safe with any descriptor, never blocks on one that is not a
 * regular file.
 */
bool resolve(struct store *store, int fd, char name[STORE_NAME], struct code_header *header);

#endif
