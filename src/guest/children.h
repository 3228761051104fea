/*
 * Children that have ended: in which order, and what their parent is told. A child has ended when
 * it said so in its turn, or when it is found to have died in the race; the kernel's own news of it
 * come later, at no certain time, and are not listened to: it is told to send none.
 */
#ifndef STET_GUEST_CHILDREN_H
#define STET_GUEST_CHILDREN_H

#include "guest/thread.h"

#define WAIT_ALL    0x40000000u /* __WALL: children that send no SIGCHLD too */
#define WAIT_CLONES 0x80000000u /* __WCLONE: those alone */

/* The number of the calling process's parent. */
int32_t child_parent(const struct thread *self);

/* In its turn, the calling process ends. */
void child_ends(struct thread *self);
/* Does any thread of the process in slot `index` live? */
bool child_lives(uint32_t index);
/* The process of the task in `index` died without a word, by the doing of the one in `from`. */
void child_died(uint32_t from, uint32_t index, uint32_t generation);

/* It runs a program of its own, or has ended: a vfork is over. */
void child_is_program(uint32_t index);
/* It was stopped, or goes on, by this signal. */
void child_stopped(uint32_t from, uint32_t index, int signal);
/* In its turn, the calling process is about to be stopped. */
void child_stops(struct thread *self, int signal);
/* A child that is about to be, which `which` means; told once. 0: none. */
int32_t child_stopping(const struct thread *self, long which);

/* The caller waits for long: has a child died that was away from the race, or, which takes longer to
 * see, parked? */
void children_look(struct thread *self, bool at_parked);

/* The first child to have ended which `which` and the options mean, as waitpid has it; 0: none. */
int32_t child_ended(const struct thread *self, long which, uint32_t options);
/* Is there one, ended or not? */
bool child_exists(const struct thread *self, long which, uint32_t options);
/* It has been waited for. */
void child_forget(struct thread *self, int32_t pid);
/* Those of a process that ignores SIGCHLD are waited for by nobody else. */
void children_reap(struct thread *self);

/* Has the process with this number made its last event? */
bool child_is_over(int32_t pid);

#endif
