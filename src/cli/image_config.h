/* What an OCI image says of its use: a run's command, user and working directory, where the options
 * do not say it. */
#ifndef STET_CLI_IMAGE_CONFIG_H
#define STET_CLI_IMAGE_CONFIG_H

#include "cli/run_options.h"

/* Of the image in options->files, whatever it is. */
int image_config_use(struct run_options *options, struct error *err);

#endif
