#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *err, int cause, const char *format, ...)
{
	va_list args;
	int n;

	err->status = 125;
	va_start(args, format);
	n = vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	if (cause && n >= 0 && (size_t)n < sizeof(err->text))
		snprintf(err->text + n, sizeof(err->text) - (size_t)n, ": %s", strerror(cause));
	return -1;
}
