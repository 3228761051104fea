/*
 * What a run looked at of its files, in a part of its own of the arena's file, when config.records
 * says so: every name once, with what was wanted of it. Guests add and never remove; no lock is
 * held, since a process can be killed at any point. The supervisor reads when the command has ended,
 * and believes nothing that it has not checked. Layout only.
 */
#ifndef STET_ARENA_LOOKS_H
#define STET_ARENA_LOOKS_H

#include <stdint.h>

/* What was wanted of a name: bits. */
enum look_kind {
	LOOK_NAME = 1u << 0, /* is it there, and what is it: type, attributes, where a link leads */
	LOOK_READ = 1u << 1, /* its content, or it became part of what the run leaves */
	LOOK_LIST = 1u << 2, /* the names in it */
	LOOK_LABELS = 1u << 3, /* its extended attributes */
	LOOK_TIME = 1u << 4,   /* its real time of modification */
	LOOK_MAKE = 1u << 5,   /* may it be made, or replaced */
	LOOK_START = 1u << 6,  /* the command started there */
};

/* One name: absolute, without symbolic links on the way, whatever root its finder had. Followed by
 * the path; the next begins at a multiple of LOOK_UNIT. */
struct look {
	uint32_t kinds; /* enum look_kind */
	uint32_t bytes; /* of the path, with its end */
	uint32_t next;	/* the one that was added before, as a unit + 1; 0: none */
	char path[];
};
#define LOOK_UNIT   8u
#define LOOK_PLACES (1u << 20) /* open addressing, linear probing; unit of the look + 1, or 0 */
#define LOOK_TEXT   (256u << 20)
#define LOOK_MEMOS  (1u << 16)

struct looks_memory {
	uint32_t used;	/* units of the text */
	uint32_t count; /* of names */
	uint32_t last;	/* the one that was added last, as a unit + 1; some may be there twice */
	/* How often the run changed what names on the way lead to: by links and moves, and by new
	 * directories, which matter to paths with ".." in them. */
	uint32_t links, directories;
	uint32_t pad[11];
	_Alignas(4096) uint64_t memos[LOOK_MEMOS]; /* hashes of what was walked already */
	_Alignas(4096) uint32_t places[LOOK_PLACES];
	_Alignas(4096) char text[LOOK_TEXT];
};
#define LOOKS_BYTES sizeof(struct looks_memory)

/* Files of an unpacked bundle whose content is not there, or could not be read when it was packed,
 * have these nanoseconds in their time of modification; its seconds may be what the run wants. */
#define LOOK_ABSENT_NSEC 537465741
#define LOOK_DENIED_NSEC 537465742

#endif
