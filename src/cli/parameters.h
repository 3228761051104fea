/* The options that decide what a run gives, as a JSON object: each in the words of the option. */
#ifndef STET_CLI_PARAMETERS_H
#define STET_CLI_PARAMETERS_H

#include <jansson.h>

#include "cli/run_options.h"

/* NULL without memory. */
json_t *parameters_tell(const struct run_options *options);
/* Sets the options. All of them must be there, and no others. Of `entropy`, the caller has to say
 * where a record lies. What the options point to is `object`'s. */
int parameters_take(const json_t *object, struct run_options *options, struct error *err);

#endif
