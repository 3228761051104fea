/*
 * Keeps what a call changes in the host's directories, so that the run can be started again: what
 * was made, moved or taken away, and how files were before. Only calls in turn are kept: those that
 * change such a directory do not run ahead. What cannot be undone starts the run again at once,
 * before it is done. Uses names, inodes and the arena.
 */
#ifndef STET_GUEST_UNDO_H
#define STET_GUEST_UNDO_H

#include "guest/dispatch.h"
#include "guest/process.h"

bool undo_is_needed(struct thread *self, uint32_t number);
/* May the call change what lies on the host? Then it is to be made by undo_call, in turn, with its
 * own handler in self->undone. */
static inline bool undo_concerns(struct thread *self, uint32_t number)
{
	return process.arena->config.undoes && undo_is_needed(self, number);
}
__attribute__((visibility("hidden"))) call_handler undo_call;

#endif
