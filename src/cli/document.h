/* JSON documents of subcommands, with "stet" and "kind", to a file or to standard output. */
#ifndef STET_CLI_DOCUMENT_H
#define STET_CLI_DOCUMENT_H

#include <jansson.h>

#include "base/error.h"

/* Takes the object, which may be NULL for want of memory. `file` is - for standard output. */
int document_write(json_t *object, const char *kind, const char *file, struct error *err);

#endif
