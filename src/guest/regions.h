/* Which rewritten copies are mapped, and where. */
#ifndef STET_GUEST_REGIONS_H
#define STET_GUEST_REGIONS_H

#include "guest/thread.h"

bool regions_know(uint64_t segment, const struct code_slot *slot);
void regions_add(uint64_t segment, const struct code_slot *slot);

#endif
