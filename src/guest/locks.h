/* What fcntl does with locks and leases of files. */
#ifndef STET_GUEST_LOCKS_H
#define STET_GUEST_LOCKS_H

#include "guest/handlers.h"

/* Is this command of fcntl about them, and must it be made by ... */
bool lock_command(uint32_t command);
/* ... this? */
long lock_fcntl(struct thread *self);

#endif
