/*
 * Files that are mapped may shrink while they are looked at; the kernel sends SIGBUS then. Work that
 * is done under the guard ends with an error instead of the process. What it held is lost then.
 */
#ifndef STET_DIFF_GUARD_H
#define STET_DIFF_GUARD_H

#include <stdbool.h>

/* Does the work; false when it was ended. Only this thread is guarded. */
bool guard_run(void (*work)(void *context), void *context);

#endif
