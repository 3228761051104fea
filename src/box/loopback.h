/*
 * The loopback interface of the container: up, and set so that what is sent over it arrives at once
 * and always fits. Then what a program finds at a socket is what others sent before it, and never a
 * matter of the kernel's timers and of buffers that it sizes by the connection's pace.
 */
#ifndef STET_BOX_LOOPBACK_H
#define STET_BOX_LOOPBACK_H

#include <stdbool.h>

#include "base/error.h"

int loopback_up(struct error *err);
/* With the container's /proc, as long as it can be written to. False: this kernel, or whoever
 * encloses Stet, does not let it be done. */
bool loopback_tune(const char *proc);

#endif
