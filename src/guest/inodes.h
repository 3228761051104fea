/* A stand-in: numbers as the file system has them, until the table of inodes is there. */
#ifndef STET_GUEST_INODES_H
#define STET_GUEST_INODES_H

#include "guest/sys.h"

/* The number that the program sees for the file with this real device and number. */
uint64_t inode_number(struct thread *self, uint64_t device, uint64_t number);

#endif
