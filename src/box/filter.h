/*
 * The seccomp filter of a container, as a classic BPF program: a system call passes only when it is
 * made from the guest's page of stubs; any other one traps into the guest. Even from there, calls
 * that syscalls.def refuses fail, so that code which jumps into the stubs gains nothing by it. Uses
 * the arena's layout and table of calls, and base.
 */
#ifndef STET_BOX_FILTER_H
#define STET_BOX_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "arena/layout.h"
#include "base/error.h"

/*
 * Writes the program and gives its length, or -1 when it does not fit into `max` instructions.
 * With RELAX_PID in `relax`, calls that only ask for the caller's identity pass from everywhere;
 * with RELAX_ALL and nothing to `report`, so does read, which shells make a byte at a time: it is
 * native then whatever way it takes, and a process without the guest can do nothing with what it
 * reads.
 */
int filter_make(
	uint32_t relax, uint32_t report, struct filter_insn *out, size_t max, struct error *err);

#endif
