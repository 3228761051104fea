/* Stet's cache: below $XDG_CACHE_HOME/stet, or ~/.cache/stet. */
#ifndef STET_CLI_CACHE_H
#define STET_CLI_CACHE_H

/* The directory of one part of it, made when it is missing; to be freed. NULL when there is no place
 * to write to. */
char *cache_directory(const char *part);

#endif
