/*
 * What a program finds on its stack when it starts: arguments, environment, auxiliary vector.
 * Strings stay where the kernel put them, at addresses that depend on nothing but themselves; what
 * lies below is laid out anew, with the same entries on every kernel.
 */
#ifndef STET_GUEST_STACK_H
#define STET_GUEST_STACK_H

#include <linux/auxvec.h>

#include "guest/process.h"

#define STACK_NAME_BYTES (PATH_MAX + 64) /* a path, and what may be put before it */

struct start_stack {
	uint64_t *base; /* argc */
	char **argv, **envp;
	uint64_t *auxv; /* pairs */
};

struct start_stack stack_parse(uint64_t *base);
/* The value of an entry; 0 when there is none. */
uint64_t aux_get(const struct start_stack *stack, uint64_t type);
/* Changes an entry that is there. */
void aux_set(const struct start_stack *stack, uint64_t type, uint64_t value);

/* The kernel put the stack at random: moves it to where it belongs. */
void stack_settle(struct start_stack *stack);
/* Moves the strings to where they are when the kernel starts the program itself, under this
 * name. */
void stack_lift_strings(struct start_stack *stack, const char *name);
/* Lays all that is below the strings out anew. */
void stack_build(struct start_stack *stack);

#endif
