/*
 * Keeps what a run looks at of its files (arena/looks.h), for `stet pack` and `stet rerun`. A name
 * that a call is given is walked by the guest, step by step, when it is seen for the first time:
 * links on the way are looked at too, and what is kept are paths without links. What was there at
 * the start of the run is for the supervisor to find out; names that only the run itself made are
 * left out. Uses names, files, inodes and the arena.
 */
#ifndef STET_GUEST_RECORDER_H
#define STET_GUEST_RECORDER_H

#include "guest/dispatch.h"
#include "guest/names.h"
#include "guest/process.h"

static inline bool recording(void)
{
	return process.arena->config.records;
}

/* Once per program. */
void recorder_program(void);
/* Once per container: where the command starts. */
void recorder_begin(struct thread *self);

/* Does the call have to do with names? Then it is to be made by recorder_call, with its own handler
 * in self->recorded. */
bool recorder_concerns(uint32_t number);
__attribute__((visibility("hidden"))) call_handler recorder_call;

/* The name is looked at, with AT_SYMLINK_NOFOLLOW or AT_EMPTY_PATH in flags. */
void recorder_look(struct thread *self, struct name name, uint64_t flags, uint32_t kinds);
/* The same of what a descriptor leads to. */
void recorder_look_at(struct thread *self, int fd, uint32_t kinds);
/* What the name leads to, as it is kept: the unit of its look; 0: nothing. */
uint32_t recorder_find(struct thread *self, struct name name);

/* Names on the way may lead elsewhere from now on: a link or directory comes, or moves. */
void recorder_link_made(void);
void recorder_directory_made(void);

/* May the file be opened to be read, or must it be refused: 0, or -errno. The content of a bundle's
 * file may not be there. */
long recorder_judge(long fd, uint64_t flags);

#endif
