/*
 * JSON as Stet writes it, and text in it. JSON has UTF-8 only; names of files, arguments and
 * variables may be any bytes. Such text, and text with control characters that have no short form in
 * JSON, is written behind "bytes:", with those bytes and backslashes as a backslash and three octal
 * digits; and so is what begins with "bytes:" itself. What is dumped is canonical by RFC 8785, and a
 * newline.
 */
#ifndef STET_BASE_JSON_TEXT_H
#define STET_BASE_JSON_TEXT_H

#include <jansson.h>

#include "base/error.h"

/* NULL without memory. */
json_t *json_text(const char *raw);
/* What that was made of, to be freed; NULL when it is none. */
char *json_text_read(const json_t *text);

/* Writes the document to `fd` and releases it. NULL is one for which there was no memory. `option` is
 * for messages. */
int json_text_dump(json_t *document, int fd, const char *option, struct error *err);

#endif
