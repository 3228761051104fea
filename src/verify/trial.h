/*
 * One run in a process of its own, under conditions of its own: what it changes of itself ends with
 * it. Nothing of it is left when the caller is stopped or killed.
 */
#ifndef STET_VERIFY_TRIAL_H
#define STET_VERIFY_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct trial {
	uint32_t vary;	    /* outside */
	unsigned turn;	    /* as variations_outside has it */
	bool load;	    /* others compute beside it */
	int output, errors; /* what the process has as standard output and error */
	void (*act)(
		void *context); /* in the process; a result goes through memory that is shared */
	void (*wait)(void *context); /* called now and then while it runs; or NULL */
	void *context;
};

/* 0 when the process came to its end. An error when somebody wished to stop: see base/stop.h, whose
 * watch is on. */
int trial_run(const struct trial *trial, struct error *err);

#endif
