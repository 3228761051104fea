/*
 * Names that mean something else than the kernel thinks: the loader's and the program's own; and
 * the files that other names lead to, as entries of the table of inodes.
 */
#ifndef STET_GUEST_NAMES_H
#define STET_GUEST_NAMES_H

#include "guest/inodes.h"

enum name_kind {
	NAME_PLAIN,
	NAME_LOADER, /* may be the file that the guest lies over: named ld-*, or ld.so */
	NAME_SELF,   /* /proc/self/exe of a program that the guest carries */
	NAME_PYC,    /* ends in .pyc */
};

enum name_kind names_classify(uint64_t path);
/* The path to use for a program that runs itself again by /proc/self/exe; else the path as
 * given. */
const char *names_own_program(const char *path);
bool names_is_own_program(uint64_t path);
/* Is it outside of the tree that /proc shows? */
bool names_absent(uint64_t path);
/* Is it the guest's file, as the kernel identifies it? */
bool names_is_guest(uint64_t device, uint64_t inode);

/* A name as system calls have it. */
struct name {
	int dirfd;
	uint64_t path; /* the program's memory */
};

/* What the name leads to; with AT_SYMLINK_NOFOLLOW or AT_EMPTY_PATH in flags. False: nothing. */
bool name_status(struct name name, uint64_t flags, struct kernel_stat *st);
/* Its entry, or NULL; the caller's clock is not before the file's last change then. */
struct inode *name_inode(struct thread *self, struct name name, uint64_t flags);
/* The name of the directory that the name is in, to be used with its dirfd; false: it is none. */
bool name_cut(struct name name, char path[PATH_MAX]);
/* The entry of the directory that the name is in. */
struct inode *name_parent(struct thread *self, struct name name);
/* The path of what it leads to, without symbolic links, as the kernel knows it; false: it has none. */
bool name_canonical(struct name name, uint64_t flags, char path[PATH_MAX]);
/* Its last part; false when that is not a name in a directory. */
bool name_last(struct name name, char *last, size_t room);

#endif
