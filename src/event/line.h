/*
 * One line of text per event, the format of `stet run --log`; doc/log.md is its description and
 * promise. Takes events as the container wrote them: nothing in one is trusted. Uses the arena's
 * layout and table of calls, and the code cache's names of instructions.
 */
#ifndef STET_EVENT_LINE_H
#define STET_EVENT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "arena/layout.h"

/* Whose event it is: a copy, since the task's slot can have a new owner when the line is made. */
struct line_task {
	char name[sizeof(((struct task *)0)->name)];
	int32_t pid, tid;
};

#define LINE_BYTES 2048 /* enough for any event */

/* Writes the line with its newline, without a terminating zero, and gives its length. */
size_t line_format(char out[LINE_BYTES], const struct line_task *task, const struct event *event);

/* The name of an enum insn_kind. */
const char *line_insn_name(unsigned kind);

#endif
