/* What the subcommands share. */
#ifndef STET_CLI_CLI_H
#define STET_CLI_CLI_H

#include "base/error.h"

#define STATUS_TROUBLE 125

/* A subcommand: takes its own name as argv[0], returns Stet's exit status. */
int command_attest(int argc, char **argv);
int command_run(int argc, char **argv);
int command_deb(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_image(int argc, char **argv);
int command_pack(int argc, char **argv);
int command_rerun(int argc, char **argv);
int command_verify(int argc, char **argv);

/* Says a line on standard error, as "stet: LINE". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
