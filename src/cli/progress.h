/* A line on the terminal that says how far long work is: nothing when standard error is none. */
#ifndef STET_CLI_PROGRESS_H
#define STET_CLI_PROGRESS_H

#include <stdint.h>

/* `what` is what is done, as "unpacking image.tar". */
void progress_start(const char *what);
/* Bytes; `all` is 0 when it is not known. */
void progress_show(uint64_t done, uint64_t all);
/* Takes the line away. */
void progress_end(void);

#endif
