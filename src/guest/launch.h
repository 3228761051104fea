/* The container's command: the first program, found as a shell would. */
#ifndef STET_GUEST_LAUNCH_H
#define STET_GUEST_LAUNCH_H

#include "guest/thread.h"

/* Runs it: searches PATH, and ends the process when there is none. */
_Noreturn void launch(struct thread *self, char **argv, char **envp);

#endif
