/* Function starts out of the table that Go's linker keeps even in stripped programs
 * (.gopclntab). */
#ifndef STET_CODE_GO_FUNCTIONS_H
#define STET_CODE_GO_FUNCTIONS_H

#include "code/starts.h"

/* How many the table lists, 0 when there is none that can be read; -1 when memory runs out. */
long go_functions_collect(struct starts *starts, const struct elf_file *file);

#endif
