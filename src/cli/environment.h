/* The environment of the command: fixed values, and what --env adds. */
#ifndef STET_CLI_ENVIRONMENT_H
#define STET_CLI_ENVIRONMENT_H

#include <stddef.h>
#include <sys/types.h>

/* NULL without memory. The result is to be freed by environment_release. */
char **environment_make(uid_t uid, char *const *assignments, size_t count);

void environment_release(char **environment);

#endif
