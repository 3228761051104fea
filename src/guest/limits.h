/*
 * Calls that wait for other tasks in the kernel and take a limit of time: futex, and where order is
 * relaxed System V semaphores and POSIX queues.
 */
#ifndef STET_GUEST_LIMITS_H
#define STET_GUEST_LIMITS_H

#include "guest/dispatch.h"

call_handler limited_semop, limited_queue;

#endif
