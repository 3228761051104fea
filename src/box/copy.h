/* Copies of single files with their attributes, by directory descriptors. */
#ifndef STET_BOX_COPY_H
#define STET_BOX_COPY_H

#include <sys/stat.h>

/* A file between two directories; `status` is what lstat says of the source. */
struct copy {
	int from;
	const char *from_name;
	int to;
	const char *to_name;
	const struct stat *status;
};

/* Copies a regular file, symbolic link or FIFO, attributes included. -1 with errno. */
int copy_file(const struct copy *copy);

/*
 * Gives `name` the owner, mode and times of `status`. An owner that cannot be given stays as it is:
 * a container without that user has nobody else to give it to.
 */
void copy_attributes(int dir, const char *name, const struct stat *status);

/* Gives the file `to` the extended attributes of `from` that are the program's. */
void copy_extended(int from, int to);

#endif
