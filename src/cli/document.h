/*
 * JSON documents of subcommands, with "stet" and "kind", to a file or to standard output. A file gets
 * its name when it is complete; one that was there stays until then.
 */
#ifndef STET_CLI_DOCUMENT_H
#define STET_CLI_DOCUMENT_H

#include <jansson.h>

#include "base/error.h"
#include "base/new_file.h"

/* Before the work, so that it is not done for nothing. `name` is - for standard output, NULL for no
 * document. */
int document_open(struct new_file *file, const char *name, struct error *err);
/* Writes what document_open opened. Takes the object, which may be NULL for want of memory. */
int document_finish(json_t *object, const char *kind, struct new_file *file, const char *name,
	struct error *err);

/* Both at once, where there was no work. */
int document_write(json_t *object, const char *kind, const char *name, struct error *err);

#endif
