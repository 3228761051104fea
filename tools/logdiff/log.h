/* A log file, read from its beginning as often as needed. Trouble ends the program. */
#ifndef STET_LOGDIFF_LOG_H
#define STET_LOGDIFF_LOG_H

#include <stdbool.h>

#include "logdiff/line.h"

struct log;

/* The file must be one that can be read again: a regular one. */
struct log *log_open(const char *path);
void log_rewind(struct log *log);

/* The next line that the rules want. line and *text (the whole line, without its newline) are valid
 * until the next call. False at the end. */
bool log_next(struct log *log, const struct rules *rules, struct line *line, const char **text);

void log_close(struct log *log);

#endif
