#include "diff/time_text.h"

#include <stdio.h>
#include <time.h>

const char *time_text(char text[TIME_TEXT], int64_t seconds)
{
	const time_t time = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&time, &parts) || parts.tm_year > 9999 - 1900 ||
		!strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
		snprintf(text, TIME_TEXT, "%lld s", (long long)seconds);
	return text;
}
