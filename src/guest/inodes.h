/*
 * The files that programs have seen, in the arena: their virtual numbers (numbers.h), and their
 * logical times. Files that were there at the start have the time one second before the epoch; what
 * is made or changed in the run has the time of its maker's clock. Whoever looks at a file goes on
 * after its last change, so that what is made from it is newer. Uses the arena.
 */
#ifndef STET_GUEST_INODES_H
#define STET_GUEST_INODES_H

#include "guest/sys.h"

struct directory_times {
	int64_t mtime, ctime;
};

/* Which of a file's times an event moves. */
enum inode_times {
	INODE_ATIME = 1u << 0,
	INODE_MTIME = 1u << 1,
	INODE_CTIME = 1u << 2,
};

/* Once per container, before any program runs: the root directory has a number of its own. */
void inodes_begin(struct thread *self);
/* The entry of the file that the kernel names so; made when it is seen for the first time. */
struct inode *inode_look(struct thread *self, uint64_t device, uint64_t number);
/* The same, or NULL when nobody has seen it. */
struct inode *inode_known(const struct kernel_stat *st);
/* Was the file made in this run? One that nobody has seen was not. */
bool inode_is_made(const struct kernel_stat *st);
/* The same, of what the kernel says of a file that is looked at: the caller's clock is not before
 * its last change. Of a directory, that is so when it is listed, or its times are shown. */
struct inode *inode_seen(struct thread *self, const struct kernel_stat *st);
void inode_met(struct thread *self, struct inode *inode, bool is_directory);
void inode_listed(struct thread *self, struct inode *directory);
struct directory_times inode_dated(struct thread *self, struct inode *directory, bool busy);
/* The file was made just now: whatever had its name in the table is dead. */
struct inode *inode_fresh(struct thread *self, uint64_t device, uint64_t number);
/* The entry of a copy that takes the place of an initial file: it is one itself. */
struct inode *inode_copied(struct thread *self, uint64_t device, uint64_t number);
/* The kernel names the file so, too: by another of its names. */
void inode_alias(struct inode *inode, uint64_t device, uint64_t number);

/* An entry as struct file keeps it: its index + 1. */
uint32_t inode_index(const struct inode *inode);
struct inode *inode_at(uint32_t index);

/* A file's time in the two parts that programs know, and back. */
void inode_split(int64_t time, int64_t *seconds, int64_t *nsec);
int64_t inode_time(int64_t seconds, int64_t nsec);
/* The present, as a file's time; looking at it moves the clock. */
int64_t inode_now(struct thread *self);

/* An event moves these of the file's times to the present; never back. */
void inode_mark(struct thread *self, struct inode *inode, uint32_t times);
/* A name in the directory came or went: its times are not before then. Of several such events, in
 * whatever order they are made, the last in time counts. */
void inode_touch(struct thread *self, struct inode *directory, int64_t time);
/* The directory's ctime moves to the present, and nothing else of it: others that are ahead may make
 * names there meanwhile. */
void inode_renew(struct thread *self, struct inode *directory);
/* ... or to a given time. */
void inode_set(struct inode *inode, uint32_t times, int64_t time);
#endif
