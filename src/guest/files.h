/*
 * What the program's descriptors lead to, as far as handlers must tell files apart. Found by
 * looking at the file when its descriptor is first used, and remembered until the descriptor is
 * closed or replaced; so it does not matter by which name, or from whom, a descriptor came. Nothing
 * that is remembered outlives an exec.
 */
#ifndef STET_GUEST_FILES_H
#define STET_GUEST_FILES_H

#include "guest/process.h"
#include "guest/sys.h"

/* Once per container: what the command is started with leads outside. */
void files_begin(void);
/* Of this descriptor; kind FILE_UNKNOWN when it is none. The pointer is good until the next
 * call. */
struct file *file_of(struct thread *self, uint64_t fd);
/* The kernel just said this of the descriptor: it need not be asked again. */
void file_seen(struct thread *self, uint64_t fd, const struct kernel_stat *st);
/* The entry of the regular file or directory that it leads to, or NULL. */
struct inode *file_inode(struct thread *self, uint64_t fd);
/* A write through the descriptor succeeded: the file's times move. */
void file_written(struct thread *self, uint64_t fd);
/* The descriptor is new and leads to this. */
void file_set(struct thread *self, uint64_t fd, struct file file);
/* `to` leads to where `from` does. */
void file_duplicated(struct thread *self, uint64_t from, uint64_t to);
/* The next descriptor from fd on of this kind, as far as is known; -1: none. For kinds that must be
 * known before they are used: timers, processes, terminals. */
int file_next(const struct thread *self, enum file_kind kind, int fd);
/* The next one that is known to lead to a TCP socket. */
int file_next_tcp(const struct thread *self, int fd);
/* An open gave the descriptor: its offset is the process's own until a child shares it. */
void file_opened(struct thread *self, uint64_t fd);
bool file_is_own(const struct file *file);
/* Descriptors get into others' hands: by a birth, or by a message. */
void files_shared(void);
/* The process uses locks on files, which closing any of their descriptors can give back. */
void files_lock(void);
bool files_locked(void);
/* Is the current directory one of an ordinary file system? After a change of it nobody knows. */
bool files_directory_ordinary(struct thread *self);
void files_directory_changed(void);
/* The descriptors from first to last are closed, or lead elsewhere. */
void file_forget(uint64_t first, uint64_t last);

#endif
