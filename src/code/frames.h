/* Function starts out of call frame information (.eh_frame, found by header or by section). */
#ifndef STET_CODE_FRAMES_H
#define STET_CODE_FRAMES_H

#include "code/starts.h"

/* How many were found; -1 when memory runs out. What cannot be read is passed over. */
long frames_collect(struct starts *starts, const struct elf_file *file);

#endif
