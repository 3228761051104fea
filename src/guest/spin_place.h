/* Where in which file an instruction of the calling process lies, for people. */
#ifndef STET_GUEST_SPIN_PLACE_H
#define STET_GUEST_SPIN_PLACE_H

#include <stddef.h>
#include <stdint.h>

/* "0x401136 (/build/a.out+0x1136)", or the address alone. */
void spin_place(uint64_t rip, char *text, size_t size);

#endif
