/*
 * What programs are told of a file: one machine's numbers, sizes and times instead of the kernel's.
 * Uses inodes.
 */
#ifndef STET_GUEST_STAT_H
#define STET_GUEST_STAT_H

#include "guest/inodes.h"

/* Turns what the kernel says of a file into what the program sees; answers the file's entry. */
struct inode *stat_show(struct thread *self, struct kernel_stat *st);

#endif
