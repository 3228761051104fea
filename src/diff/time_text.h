/* Times as reports show them. */
#ifndef STET_DIFF_TIME_TEXT_H
#define STET_DIFF_TIME_TEXT_H

#include <stdint.h>

#define TIME_TEXT 40

/* Seconds since 1970 as "2001-09-09T01:46:40Z", or as a number where there is no such day. */
const char *time_text(char text[TIME_TEXT], int64_t seconds);

#endif
