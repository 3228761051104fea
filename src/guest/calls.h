/* What the guest needs to know of a call besides its handler. */
#ifndef STET_GUEST_CALLS_H
#define STET_GUEST_CALLS_H

#include <stdint.h>

/* A letter per argument, as syscalls.def has them; "" for unknown calls. */
const char *call_letters(uint32_t number);
/* Its name. */
const char *call_name(uint32_t number);

#endif
