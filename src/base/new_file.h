/*
 * A file that gets its name when it is complete: nobody sees half of it, and when it is not
 * completed nothing is left of it, even after a kill. What has the name already stays until then. A
 * pipe, a device or what the caller has open (/dev/fd/N) is written as it is.
 */
#ifndef STET_BASE_NEW_FILE_H
#define STET_BASE_NEW_FILE_H

#include <stdbool.h>

#include "base/error.h"

struct new_file {
	int fd;		    /* to be written to; -1: not open */
	const char *option; /* what it is written for, for messages */
	char *path;  /* its name to be, without symbolic links; NULL: it is no regular file */
	bool beside; /* it lies in its directory already, without a name */
};
#define NEW_FILE_NONE                                                                              \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Fails for a directory, and where nothing can be written. */
int new_file_open(struct new_file *file, const char *option, const char *path, struct error *err);
/* Gives it its name. */
int new_file_finish(struct new_file *file, struct error *err);
/* To be called in any case. */
void new_file_release(struct new_file *file);

#endif
