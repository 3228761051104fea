/*
 * A copy of what was mounted in a run, as it was before: without what the run made there. Who runs
 * it again has nothing changed in the original.
 */
#ifndef STET_CLI_INPUT_COPY_H
#define STET_CLI_INPUT_COPY_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/* What is not to be copied. */
struct input_skip {
	/* `path` is that of the file below the copied directory, and begins with a slash. */
	bool (*skips)(void *context, const char *path, const struct stat *status);
	void *context;
};

/* Copies the directory or file `from` to `to`, which is not there yet. */
int input_copy(const char *from, const char *to, const struct input_skip *skip, struct error *err);

#endif
