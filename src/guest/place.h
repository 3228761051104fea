/*
 * Where mappings go. The kernel's choice depends on its version, on limits and on chance; so the
 * guest chooses, and remembers which addresses are in use: all that the program mapped, wherever it
 * asked for it. Equal histories lead to equal addresses, whatever the host has or has not in its
 * code cache. One table for all tasks that share the memory; a fork copies it.
 */
#ifndef STET_GUEST_PLACE_H
#define STET_GUEST_PLACE_H

#include "guest/process.h"

/* Is it for us to choose? */
static inline bool placing(void)
{
	return !(process.relax & RELAX_ADDRESS);
}

/* What a mapping needs. */
struct wish {
	uint64_t bytes;	    /* whole pages */
	uint64_t alignment; /* a power of 2, at least a page */
	uint64_t guard;	    /* whole pages below it that stay free as long as its start is in use */
	bool low;	    /* below 2 GiB, as MAP_32BIT has it */
};

/* Below a file that can be a library: room for the stubs of its rewritten copy (code.c), always,
 * though not all have one. More than any that was seen needs. */
static inline uint64_t stub_guard(uint64_t bytes)
{
	return PAGE_UP(2 * PAGE + bytes / 64);
}

/* The highest free address that suits (or the lowest, of low ones), now taken; 0 when there is
 * none. */
uint64_t place_find(const struct wish *wish);
/* Takes exactly this range if all of it is free. */
bool place_claim(uint64_t address, uint64_t bytes);
/* The range is in use, or not any more. Parts of it may have been so before. */
void place_take(uint64_t address, uint64_t bytes);
void place_release(uint64_t address, uint64_t bytes);

/* Around a fork, so that the child's copy of the table is whole. */
void place_hold(void);
void place_let_go(void);

/* Memory for the guest itself, outside of what the program can reach. As mmap and munmap; `fd` may
 * be -1 for zeros that can be written. */
long own_map(uint64_t bytes, int fd, uint64_t offset);
void own_unmap(void *memory, uint64_t bytes);

#endif
