/* Events for the supervisor: the log and the counters. Used only when config.report asks for
 * them. */
#ifndef STET_GUEST_REPORT_H
#define STET_GUEST_REPORT_H

#include "guest/thread.h"

/* What of a call must be noted before it is made: it may change registers, or never return. */
struct call_note {
	uint32_t number;
	uint32_t text_length;
	uint64_t arguments[6];
	char text[176];
};

/* A program begins; the calling task is new. */
void report_program(struct thread *self, const char *program);
void report_started(struct thread *self);
void report_begin(struct thread *self, struct call_note *note, uint32_t number);
void report_end(struct thread *self, const struct call_note *note, long result);
void report_insn(struct thread *self, uint32_t kind, uint64_t result, bool slow);
void report_signal(struct thread *self, int signal);
void report_exit(struct thread *self, long status);
void report_code(bool mapped);
void report_park(void);
void report_wait(void);
void report_retry(void);

#endif
