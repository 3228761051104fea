/* Descriptors by their links in /proc, whatever else is mounted there for the program. */
#ifndef STET_GUEST_DESCRIPTOR_H
#define STET_GUEST_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

/* What the calling thread's descriptor leads to, as far as it fits; empty when it fails. */
long descriptor_path(long fd, char *path, size_t room);
/* Opens what it leads to anew. */
long descriptor_reopen(long fd, uint64_t flags);

#endif
