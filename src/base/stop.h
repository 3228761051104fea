/*
 * A wish to stop, by SIGHUP, SIGINT or SIGTERM, for long work that has to clean up behind it: between
 * stop_watch() and stop_heed() these signals are only noted, and calls that wait give EINTR.
 */
#ifndef STET_BASE_STOP_H
#define STET_BASE_STOP_H

#include <stdbool.h>

void stop_watch(void);
/* Did one come? Long work asks this often, and ends with an error if so. */
bool stop_wanted(void);
/* As before again; a signal that came has its effect now, which is the end unless it is handled. */
void stop_heed(void);

#endif
