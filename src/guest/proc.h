/*
 * /proc: a fixed tree, whose texts come from the guest. A real procfs stays mounted, since only the
 * kernel can follow its magic links (self, fd/N, exe, cwd, root), and descriptors of its files are
 * the kernel's: offset, duplicates, inheritance, stat and poll are as they are anywhere. But what a
 * read gives is written here, each time anew, at the descriptor's offset. A file is recognised by
 * its device when it is first read, so it does not matter by which way a descriptor came; one that
 * has no place in the tree cannot be read at all. Names outside of the tree do not exist.
 */
#ifndef STET_GUEST_PROC_H
#define STET_GUEST_PROC_H

#include "guest/dispatch.h"
#include "guest/process.h"

/* Is it a device of a file whose reads are answered here? */
static inline bool proc_device(uint64_t device)
{
	return !(process.relax & RELAX_PROC) &&
	       device == process.arena->config.devices[DEVICE_PROC];
}

/* Calls that read a file of /proc, for rw.c. */
call_handler proc_read, proc_read_vector, proc_move;

#define PROC_PATH 272 /* bytes of the longest path that matters here */
/* Does the directory (an absolute path, as the kernel gives it) have an entry of this name which a
 * program must not see? */
bool proc_hidden(const char *directory, const char *name);
/* Does this path, as a program gave it, lead to such an entry? The program's memory: fault_arm
 * before. */
bool proc_absent(const char *path);
/* What the kernel wrote as a link's target, `length` bytes at `buffer` with room for `room`, may
 * name an object by a number of its own: replaces it. Answers the new length. */
long proc_link(
	struct thread *self, int dirfd, uint64_t path, uint64_t buffer, long length, long room);

/* The program's stack is ready: remembers where its arguments, environment and vector lie. */
void proc_program(struct thread *self, const uint64_t *stack);

#endif
