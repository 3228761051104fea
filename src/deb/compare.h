/* Two directories of files, bit by bit. Uses base only. */
#ifndef STET_DEB_COMPARE_H
#define STET_DEB_COMPARE_H

#include "base/error.h"

/*
 * Calls differs(context, NAME, HOW) for each regular file that is not the same in both directories, in
 * the order of names. The answer is how many files there are in all, or -1 with err.
 */
int compare_directories(const char *a, const char *b,
	void (*differs)(void *context, const char *name, const char *how), void *context,
	struct error *err);

#endif
