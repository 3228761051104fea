/* Programs of the host, whose words are read. Uses base only. */
#ifndef STET_DEB_PROGRAM_H
#define STET_DEB_PROGRAM_H

#include "base/error.h"

/*
 * Runs a program in `directory`, or here when that is NULL, with messages in English, and waits for it; *output is what it wrote to standard
 * output and standard error, to be freed. The answer is its exit status, or -1 with err when it
 * could not be run, or died. It does not outlive this process.
 */
int program_run(char *const argv[], const char *directory, char **output, struct error *err);

#endif
