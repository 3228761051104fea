/* Bytecode of Java methods as text, with constants in place of their numbers. */
#ifndef STET_DIFF_CLASS_CODE_H
#define STET_DIFF_CLASS_CODE_H

#include "diff/class_pool.h"

/* Writes one instruction a line; damage sets the cursor's `bad`. */
void class_code_put(const struct class_pool *pool, FILE *out, struct class_cursor *code);

#endif
