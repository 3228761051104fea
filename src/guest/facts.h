/*
 * What a task has of the machine's: limits, priorities, CPUs, groups (struct facts of the arena).
 * The first task's are constants, children inherit, an exec changes nothing. Uses the arena and
 * task.
 */
#ifndef STET_GUEST_FACTS_H
#define STET_GUEST_FACTS_H

#include "guest/process.h"

#define POLICY_RESET_ON_FORK 0x40000000u
#define IO_PRIORITY_NONE     4u /* class none, the middle level: of new tasks */

/* The command's own. */
void facts_first(uint32_t index);
/* Of a child that is being made with these flags of clone. */
void facts_inherit(const struct thread *self, uint32_t index, uint64_t flags);

/* Of the calling task, and of its process. */
struct facts *facts_of_task(const struct thread *self);
struct facts *facts_of_process(const struct thread *self);
/* Of another: NULL when there is none with this number; 0 for the calling one. */
struct facts *facts_find_task(const struct thread *self, int32_t tid);
struct facts *facts_find_process(const struct thread *self, int32_t pid);

#endif
