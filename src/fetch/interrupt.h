/* Signals that end Stet, while a download must be ended in order. */
#ifndef STET_FETCH_INTERRUPT_H
#define STET_FETCH_INTERRUPT_H

#include <signal.h>

#include "base/error.h"

enum { INTERRUPT_SIGNALS = 4 };

/* What the signals did before. */
struct interrupt {
	struct sigaction before[INTERRUPT_SIGNALS];
};

/* From begin to end the signals are only noted, and end calls that wait with EINTR. */
void interrupt_begin(struct interrupt *interrupt);
void interrupt_end(const struct interrupt *interrupt);

/* -1 with err when one has come. */
int interrupt_check(struct error *err);

#endif
