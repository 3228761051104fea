/*
 * All randomness that programs see. Each task has a stream of its own: ChaCha20 under a key that is
 * a function of the seed, the task's place in the tree and the number of programs that it has run;
 * so streams depend neither on each other nor on the order in which tasks run, and a fork's child
 * does not repeat its parent. With --entropy record or replay the stream is the host's, as it is
 * logged. Not to be called when randomness is relaxed: it is then the kernel's business. Uses the
 * arena.
 */
#ifndef STET_GUEST_RANDOM_H
#define STET_GUEST_RANDOM_H

#include "guest/process.h"

#define RANDOM_ENTROPY_BITS 256 /* what the kernel's pool holds when it is full */

static inline bool random_native(void)
{
	return process.relax & RELAX_RANDOM;
}

/* The next bytes of the calling task's stream. */
void random_fill(struct thread *self, void *to, size_t bytes);
/* The same into the program's memory: how many bytes fitted, or -EFAULT when none did. */
long random_fill_program(struct thread *self, uint64_t to, size_t bytes);
/* What AT_RANDOM points at: a function of the program's place, apart from its stream. */
void random_start_bytes(struct thread *self, uint8_t out[16]);
/* A fresh random UUID (version 4), and the one that stands for this boot of the machine. */
void random_uuid(struct thread *self, char text[37]);
void random_boot_id(char text[37]);
/* What the serial number of the n-th key of the run is made from. The kernel's when that is
 * relaxed. */
uint32_t random_key_serial(uint64_t made);

#endif
