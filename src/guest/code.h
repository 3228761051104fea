/*
 * The guest's side of the code cache: maps rewritten copies in place of executable files, and
 * translates addresses between a program and the stubs of its rewritten copy.
 */
#ifndef STET_GUEST_CODE_H
#define STET_GUEST_CODE_H

#include "guest/thread.h"

/* As mmap of a file with PROT_EXEC, but the rewritten copy where there is one. */
long code_map(
	uint64_t address, uint64_t bytes, uint64_t prot, uint64_t flags, int fd, uint64_t offset);
/* The kernel mapped the program's file itself: puts the rewritten copy over it. */
void code_cover(int fd, uint64_t address, uint64_t bytes, uint64_t prot, uint64_t offset);
/* Is it known that the file has nothing to replace? */
bool code_is_plain(const struct kernel_stat *st);
/* The range is gone or replaced. */
void code_forget(uint64_t address, uint64_t bytes);

/* Is the address inside the stubs of a rewritten copy? */
bool code_is_stub(uint64_t rip);
/* rip inside a stub -> the original instruction, as the program may see it. */
void code_normalise(struct thread *self, struct kernel_sigcontext *context);
/* rip inside original code that was replaced -> the stub where it goes on. */
void code_denormalise(struct kernel_sigcontext *context);

/* Sends a descriptor to the supervisor: for this slot, or REQUEST_KEEP. */
bool code_send(uint32_t slot, int fd);

#endif
