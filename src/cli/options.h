/*
 * Command-line options, read by a table. Options end at the first word that is not one, or at "--".
 * Accepts --name VALUE, --name=VALUE, -x VALUE, -xVALUE and clusters of short options without
 * value.
 */
#ifndef STET_CLI_OPTIONS_H
#define STET_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Takes the value of an option. */
typedef int option_setter(void *target, const char *value, struct error *err);

struct option_row {
	const char *name;  /* long name, without dashes */
	char letter;	   /* short name or 0 */
	const char *value; /* what the help calls its value, or NULL when it takes none */
	const char *help;
	option_setter *set; /* NULL for options of the contract that this version does not have */
};

/* Sets *rest to the first word that is not an option. */
int options_parse(const struct option_row *rows, size_t count, void *target, char **argv,
	char ***rest, struct error *err);

/* Prints one line or two per option that this version has. */
void options_help(const struct option_row *rows, size_t count);

#endif
