/* The environment of the command: fixed values, or the caller's, and what the image and --env add. */
#ifndef STET_CLI_ENVIRONMENT_H
#define STET_CLI_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * `native`: the caller's instead of the fixed values. `image` is NULL-terminated, or NULL; it comes
 * before the assignments. NULL without memory. The result is to be
 * freed by environment_release.
 */
char **environment_make(
	uid_t uid, bool native, char *const *image, char *const *assignments, size_t count);

void environment_release(char **environment);

#endif
