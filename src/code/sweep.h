/*
 * Function starts for files that say little about themselves (static, stripped, built without call
 * frame information): decodes all of the text and takes the functions that its code names.
 */
#ifndef STET_CODE_SWEEP_H
#define STET_CODE_SWEEP_H

#include "code/starts.h"

/* Adds to the starts known so far, which must be sorted. -1 when memory runs out. */
int sweep_collect(struct starts *starts, const struct elf_file *file);

#endif
