/*
 * The calling thread's place among all tasks of the container: its slot in the arena, its name in
 * the tree of tasks, and who else belongs to its process. Names and places depend on who made whom
 * in which order and on nothing else. Uses the arena.
 */
#ifndef STET_GUEST_TASK_H
#define STET_GUEST_TASK_H

#include "guest/thread.h"

#define NO_TASK	     (~0u)
#define COMMAND_TASK 0 /* the first slot that is taken */

/* Slots from here on were never used. */
uint32_t tasks_end(void);

struct task *task_at(uint32_t index);

/* At the start of a program: the process's slot; the command's own is made. */
void task_program(struct thread *self);
/* The task with this number, 0 for the calling one; NO_TASK when none of the container's has it. */
uint32_t task_find(const struct thread *self, int32_t tid);
/* A child is about to be made, with these flags of clone: its slot, or NO_TASK when there is
 * none. */
uint32_t task_child(struct thread *self, uint64_t flags);
/* The child was not made after all. */
void task_unmade(uint32_t index);
/* It is a process with this number: who made it can be the first to send it something. */
void task_born(uint32_t index, int32_t pid);
/* Likewise of a thread of the calling process. */
void task_thread_born(const struct thread *self, uint32_t index, int32_t tid);
/* The calling thread is that child. */
void task_started(struct thread *self, uint32_t index);
/* The process in this slot, if it is of this generation, ends: true for who says so first. */
bool task_ends(uint32_t index, uint32_t generation);
/* Has it been said of the calling thread's process, or of the command's own, with which all
 * end? */
bool task_is_over(const struct thread *self);
/* It has ended so that its slot is another's by now, and the kernel has not come to end it. */
bool task_is_replaced(const struct thread *self);
/* It does not end after all, unless the command does. */
bool task_goes_on(struct thread *self);
/* What the kernel says the task does: the letter of /proc, 0 when it is not there any more. */
char task_state(uint32_t index);
/* How often the kernel has given it a CPU; always 0 where the kernel does not count that. */
uint64_t task_slices(uint32_t index);
/* What the task sleeps for, by the kernel's word. */
enum sleep {
	SLEEP_UNTOLD,	 /* it does not sleep, or the kernel does not tell */
	SLEEP_FOR_FILES, /* of a file system that another process makes (FUSE) */
	SLEEP_FOR_OTHERS,
};
enum sleep task_sleep(uint32_t index);
/* Is there a process of the container that traces it (ptrace)? */
bool task_is_traced(uint32_t index);
/* Somebody found it dead, and marked it so: its slot, and those of its threads, are free. */
void task_buried(uint32_t index);
/* The calling thread ends, and with it the process, if `all`. */
void task_ended(struct thread *self, bool all);
/* The process that had this number has ended and was waited for: the clock goes on after its end.
 * Answers the CPU time that it used; 0 when it was killed, which can be at any time. */
uint64_t task_joined(struct thread *self, long pid);
/* The process with this number, as long as it lives; or NULL. */
struct task *task_find_process(int32_t pid);
/* The thread of the calling process with this number, or NULL. */
struct task *task_find_thread(const struct thread *self, int32_t tid);

#endif
