/*
 * Carries the command's standard streams between its pipes and Stet's own descriptors, in threads,
 * so that a reader outside that takes its time holds up nobody but the command. When nobody reads
 * any more outside, the command's pipe is closed, and the command learns it as it would natively.
 */
#ifndef STET_BOX_RELAY_H
#define STET_BOX_RELAY_H

#include "base/hash.h"
#include "box/streams.h"

struct relay;

/* What has come out of a stream in an attempt at the run. */
struct passed {
	uint64_t bytes;
	struct hash sample; /* of the first PASSED_SAMPLE of them */
};
#define PASSED_SAMPLE (16u << 20) /* hashing more would cost more than it tells */

struct relay_result {
	int error[2];		 /* errno that kept standard output or error from being written */
	char hash[2][HASH_TEXT]; /* of what the command wrote, when it was wanted */
	uint64_t bytes[2];	 /* likewise */
	bool cut;		 /* not all of it could be relayed */
	struct passed passed[2]; /* when the run can be started again */
	bool differs;		 /* it is not what came out in the attempt before */
};

/* How the streams of one attempt at a run are carried. */
struct relay_plan {
	bool hash;		     /* --digest is wanted */
	bool remember;		     /* the run can be started again */
	const struct passed *before; /* what has been out, of both, is not carried again; or NULL */
	int input_copy;		     /* gets what the command is fed; 0: nobody does */
};

/*
 * Starts to carry; the streams' own side is the relay's from here on. NULL with err. To be called
 * when init has been started.
 */
struct relay *relay_start(struct streams *streams, struct output *output,
	const struct relay_plan *plan, struct error *err);

/* Has something come out that is not what the attempt before had? Then no more is carried. */
bool relay_differs(const struct relay *relay);

/*
 * To be called when nobody in the container writes any more: carries what is left and frees the
 * relay, which may be NULL. `patience` is how many milliseconds that may take; -1: any time.
 */
void relay_stop(struct relay *relay, int patience, struct relay_result *result);

#endif
