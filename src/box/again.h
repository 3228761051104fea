/*
 * Running a command again from its beginning. A run starts optimistic: tasks may run ahead of their
 * turns, and when that turns out to have been wrong, all is thrown away and done in strict order.
 * This is about what such a run needs: nothing outside has changed but what can be undone, and what
 * was read can be read again. What it had already written is known to the relay.
 */
#ifndef STET_BOX_AGAIN_H
#define STET_BOX_AGAIN_H

#include "box/box.h"

/* Could the run be made again as if nothing had happened? */
bool again_possible(const struct box_config *config);

/* Must guests keep what they change on the host, so that it can be undone? */
bool again_undoes(const struct box_config *config);

/* Standard input, when it is Stet's own: where it stands, and back to there. -1: it is not. */
off_t again_input(const struct box_config *config);
void again_rewind(off_t input);

#endif
