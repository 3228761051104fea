#include "base/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* One line, whatever names and values are in it; of what is too long the middle is left out. */
static void put(char *to, const char *text)
{
	size_t length = strlen(text), half = (ERROR_TEXT - sizeof("...")) / 2;

	if (length < ERROR_TEXT)
		memcpy(to, text, length + 1);
	else
		sprintf(to, "%.*s...%s", (int)half, text, text + length - half);
	for (char *c = to; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
}

int error_set(struct error *err, int cause, const char *format, ...)
{
	cleanup_free char *text = NULL, *whole = NULL;
	va_list args;

	err->status = 125;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && cause && asprintf(&whole, "%s: %s", text, strerror(cause)) < 0)
		whole = NULL;
	put(err->text, whole ? whole : text ? text : "out of memory");
	return -1;
}
