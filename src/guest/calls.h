/* What the guest needs to know of a call besides its handler. */
#ifndef STET_GUEST_CALLS_H
#define STET_GUEST_CALLS_H

#include <stdint.h>

/* Which argument is a path, or -1. */
int call_path_argument(uint32_t number);

#endif
