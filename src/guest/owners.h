/*
 * Who owns a file, for programs. Who unpacked the image, and who owns a directory that is mounted,
 * is the host's affair: the image's files have the owners that they came with, a mount belongs to
 * the container's user, and what the run made to its maker. Where the container has one user only,
 * the kernel cannot keep others: what programs set is kept in the table of inodes. Uses inodes,
 * numbers and stat.
 */
#ifndef STET_GUEST_OWNERS_H
#define STET_GUEST_OWNERS_H

#include "guest/names.h"

/* Puts the owner into what the kernel said of the file; `number` is the one that programs see. */
void owner_show(const struct inode *inode, uint64_t number, struct kernel_stat *st);
/* The program gave the file away. */
void owner_set(struct inode *inode, uint32_t uid, uint32_t gid);
/* The run made the file under this name: of some directories, new files get the group. */
void owner_inherit(struct thread *self, struct inode *inode, struct name name);
/* A file with several names has changed under one of them, and the layer made it another file. */
void owner_carry(const struct inode *from, struct inode *to);

#endif
