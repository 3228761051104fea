/* The caller's environment, as a command sees it that runs natively. */
#ifndef STET_CLI_VERIFY_ENVIRONMENT_H
#define STET_CLI_VERIFY_ENVIRONMENT_H

#include "cli/run_options.h"

/* Before any variation, in the process of verify: Stet's own cache stays where it is, whatever HOME
 * becomes, and the size of the environment is noted. */
void verify_environment_note(void);
/* In the process of a run: what the environment is now becomes the command's. */
int verify_environment_use(struct run_options *options, struct error *err);

#endif
