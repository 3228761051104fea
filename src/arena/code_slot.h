/*
 * The arena's table of executable files: what the code cache has made of each, and how a guest asks
 * for one that is not there. Layout only; part of layout.h.
 */
#ifndef STET_ARENA_CODE_SLOT_H
#define STET_ARENA_CODE_SLOT_H

#include <stdint.h>

/* How an executable file is identified within one run. */
struct file_identity {
	uint64_t device, inode, size;
	int64_t mtime_sec, ctime_sec;
	uint32_t mtime_nsec, ctime_nsec;
};

enum code_state {
	CODE_EMPTY = 0, /* the slot is free */
	CODE_CLAIMED,	/* a guest is writing the identity */
	CODE_BUILDING,	/* a request is with the supervisor; futex-wait on state */
	CODE_READY,	/* name and geometry are valid */
	CODE_PLAIN,	/* nothing to rewrite, or it cannot be: map the file itself */
};

/*
 * One executable file as the code cache knows it. Geometry is in src/code/format.h's terms,
 * repeated here so that mapping a known file needs no look into its cached copy.
 */
struct code_slot {
	uint32_t state; /* enum code_state; futex word */
	uint32_t sites;
	struct file_identity identity;
	char name[72];		/* file name below FD_CODE */
	uint64_t source_offset; /* page-aligned range of the source that the copy replaces */
	uint64_t length;
	uint64_t copy_offset;  /* where that range lies in the cached file */
	uint64_t stub_offset;  /* where the stubs lie in the cached file, page-aligned */
	uint64_t stub_length;  /* page-aligned */
	int64_t stub_delta;    /* address of stubs - address where source_offset is mapped */
	uint64_t table_offset; /* struct code_site table in the cached file, page-aligned */
	uint64_t table_length;
};
#define CODE_SLOTS 4096 /* open addressing, linear probing by identity */

/* What a guest sends over FD_REQUEST, with the file as SCM_RIGHTS. */
struct code_request {
	uint32_t slot; /* or REQUEST_KEEP */
};
#define REQUEST_KEEP (~0u) /* the descriptor stays open as long as the container runs */

#endif
