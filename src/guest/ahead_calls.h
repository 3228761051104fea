/*
 * What calls on files have to do with them: a table of which arguments name files, and how. For
 * ahead.c alone.
 */
#ifndef STET_GUEST_AHEAD_CALLS_H
#define STET_GUEST_AHEAD_CALLS_H

#include "guest/thread.h"

/* Is the file that the call is about, as far as can be told, an ordinary one, and the descriptor's
 * offset nobody else's? Else it is made in turn. */
bool ahead_may(struct thread *self, uint32_t number);
/* Records what is known before the call is made, and what is known only after. */
void ahead_before(struct thread *self, uint32_t number);
void ahead_after(struct thread *self, uint32_t number, long result);
/* What the call at hand calls the file that it is about; "" when that is not known. */
void ahead_subject(struct thread *self, char *path, size_t room);
/* Does the call answer a new descriptor of a file? */
bool ahead_opens(uint32_t number);

#endif
