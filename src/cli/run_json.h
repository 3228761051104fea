/* --json: the result of a run for programs; doc/saving.md has its form. */
#ifndef STET_CLI_RUN_JSON_H
#define STET_CLI_RUN_JSON_H

#include <jansson.h>

#include "box/box.h"

/* NULL without memory. */
json_t *run_json(const struct box_result *result, long milliseconds);
/* Of a run in which Stet failed. */
json_t *run_json_failure(const struct error *failure);

#endif
