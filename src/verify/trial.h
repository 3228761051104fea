/*
 * One run in a process of its own, under conditions of its own: what it changes of itself ends with
 * it. Several can be under way. Nothing of them is left when the caller is stopped or killed.
 */
#ifndef STET_VERIFY_TRIAL_H
#define STET_VERIFY_TRIAL_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

#define TRIAL_BURNERS 2

struct trial {
	uint32_t vary;	    /* outside */
	unsigned turn;	    /* as variations_outside has it */
	bool load;	    /* others compute beside it */
	cpu_set_t cpus;	    /* it runs on these, with its load; none: anywhere */
	int output, errors; /* what the process has as standard output and error */
	void (*act)(
		void *context); /* in the process; a result goes through memory that is shared */
	void (*wait)(void *context); /* called now and then by trial_end; or NULL */
	void *context;

	/* While it is under way, else 0. */
	pid_t pid, burners[TRIAL_BURNERS];
};

int trial_start(struct trial *trial, struct error *err);
/* Waits for it: 0 when the process came to its end. An error when somebody wished to stop: see
 * base/stop.h, whose watch is on. */
int trial_end(struct trial *trial, struct error *err);
/* Ends it, if it is under way, and waits for that. */
void trial_stop(struct trial *trial);

#endif
