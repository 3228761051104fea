/* Function starts out of call frame information (.eh_frame, found by header or by section). */
#ifndef STET_CODE_FRAMES_H
#define STET_CODE_FRAMES_H

#include "code/starts.h"

/*
 * Adds the starts, and says how many bytes of code are described. What cannot be read is passed
 * over; -1 when memory runs out.
 */
int frames_collect(struct starts *starts, const struct elf_file *file, uint64_t *described);

#endif
