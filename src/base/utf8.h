/* UTF-8, which names of files, arguments and variables need not be. Uses nothing. */
#ifndef STET_BASE_UTF8_H
#define STET_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the character at `text`, not its end, has; 0 when that is none (RFC 3629). */
size_t utf8_bytes(const char *text);
bool utf8_is_valid(const char *text);

#endif
