/*
 * What programs are told of a file: one machine's numbers, sizes and times instead of the kernel's.
 * Uses inodes.
 */
#ifndef STET_GUEST_STAT_H
#define STET_GUEST_STAT_H

#include "guest/names.h"

#define BLOCK 4096 /* of the file system that programs see */

/* Turns what the kernel says of a file into what the program sees; answers the file's entry. The
 * name, or descriptor, is where it was found: see number_of. */
struct inode *stat_show(
	struct thread *self, struct kernel_stat *st, struct name name, uint64_t flags);
/* What kind of file system the kernel's number of a device stands for. */
enum device_class stat_class(uint64_t device);
/* Is the device none of /proc, /dev and the like? */
bool stat_is_ordinary(uint64_t device);
/* Does an ordinary file of this device come from the image, rather than from a mount? */
bool stat_is_of_image(uint64_t device);
/* Is it that of a mounted directory of the host, or of a private copy of one? */
bool stat_is_mounted(uint64_t device);
bool stat_is_copied(uint64_t device);

#endif
