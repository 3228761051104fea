/* What processes have used, as getrusage and the calls that wait for children tell it. */
#ifndef STET_GUEST_USAGE_H
#define STET_GUEST_USAGE_H

#include "guest/sys.h"

/* Writes a struct rusage with this CPU time; 0 or -EFAULT. */
long usage_out(uint64_t place, uint64_t cpu);

#endif
