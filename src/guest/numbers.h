/*
 * The numbers of files that programs see. They do not depend on who looks first: what the run makes
 * is numbered by its maker's place in the tree of tasks, and by how many it made before; an initial
 * file by its name and its directory's number. Each file gets its number when a program first asks
 * for it, or before its name changes, and keeps it. Of several names that one counts by which it is
 * first seen in the order of events; who looks ahead of his turn may find that he was wrong, and
 * then the run is started again in strict order.
 *
 * Pipes, sockets and memory without a name are numbered as if who first asks had made them: those
 * who ask must do so in turn. Uses inodes and names.
 */
#ifndef STET_GUEST_NUMBERS_H
#define STET_GUEST_NUMBERS_H

#include "guest/names.h"

/* Of something that the calling task makes just now. */
uint64_t number_fresh(struct thread *self);
/* Of the file that the name leads to, of which the kernel says `st`. `flags` has
 * AT_SYMLINK_NOFOLLOW, or AT_EMPTY_PATH when name.dirfd itself is meant; name.path may be NULL
 * then. */
uint64_t number_of(struct thread *self, struct inode *inode, const struct kernel_stat *st,
	struct name name, uint64_t flags);
/* The one that an initial file would have if this were its only name; 0: the name cannot be found
 * out. */
uint64_t number_by_name(
	struct thread *self, const struct kernel_stat *st, struct name name, uint64_t flags);
/* This is to be the file's number, unless it has one. */
void number_give(struct thread *self, struct inode *inode, uint64_t number);
/* Of what has only this text for a name, and is nowhere in the tree. */
uint64_t number_by_text(struct thread *self, struct inode *inode, const char *text);

/* A directory that is being listed. */
struct numbered_directory {
	int fd;
	const struct kernel_stat *st;
	uint64_t number; /* 0: not needed so far */
};
/* Of an entry of it. */
uint64_t number_in(
	struct thread *self, struct numbered_directory *in, struct inode *inode, const char *name);

/* The entry of what the name leads to, or NULL; its name may change now. */
struct inode *numbered(struct thread *self, struct name name, uint64_t flags);

#endif
