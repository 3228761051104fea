/*
 * Carries the command's standard streams between its pipes and Stet's own descriptors, in threads,
 * so that a reader outside that takes its time holds up nobody but the command. When nobody reads
 * any more outside, the command's pipe is closed, and the command learns it as it would natively.
 */
#ifndef STET_BOX_RELAY_H
#define STET_BOX_RELAY_H

#include "box/hash.h"
#include "box/streams.h"

struct relay;

struct relay_result {
	int error[2];		 /* errno that kept standard output or error from being written */
	char hash[2][HASH_TEXT]; /* of what the command wrote, when it was wanted */
	uint64_t bytes[2];	 /* likewise */
	bool cut;		 /* not all of it could be relayed */
};

/*
 * Starts to carry; the streams' own side is the relay's from here on. NULL with err. To be called
 * when init has been started.
 */
struct relay *relay_start(
	struct streams *streams, struct output *output, bool hash, struct error *err);

/*
 * To be called when nobody in the container writes any more: carries what is left and frees the
 * relay, which may be NULL. `patience` is how many milliseconds that may take; -1: any time.
 */
void relay_stop(struct relay *relay, int patience, struct relay_result *result);

#endif
