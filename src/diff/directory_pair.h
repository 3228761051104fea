/* Two entries of directories that have the same name: their attributes, and what is in files. */
#ifndef STET_DIFF_DIRECTORY_PAIR_H
#define STET_DIFF_DIRECTORY_PAIR_H

#include <sys/stat.h>

#include "diff/compare.h"

struct entry {
	int directory;	    /* where it is */
	const char *name;   /* there */
	struct stat status; /* zeroed when it cannot be had */
	const char *first;  /* the name of the same file that was met first, or NULL */
	int fd;		    /* of a directory that was opened; else -1 */
	int failed;	    /* why that or the status cannot be had, or 0 */
};

/* "file", "directory" and so on. */
const char *entry_type(const struct stat *status);

/* Compares them as a child `path` of `parent`. */
int directory_pair(struct diff *diff, struct node *parent, const char *path,
	const struct entry sides[2], struct error *err);

#endif
