/*
 * The order of what goes to the container's standard output and standard error. They are two pipes,
 * out of which the supervisor takes bytes at its own pace; when both lead to the same place
 * outside, whoever changes from one to the other waits until the supervisor has taken what is in
 * the first.
 */
#ifndef STET_GUEST_OUTPUT_H
#define STET_GUEST_OUTPUT_H

#include "guest/sys.h"

/*
 * To be called before anything is written to the descriptor, whatever it leads to. 0, or -RESTART,
 * which the handler must answer at once.
 */
long output_turn(struct thread *self, uint64_t fd);

#endif
