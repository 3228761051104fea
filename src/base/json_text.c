#include "base/json_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define SHORT_FORMS "\b\t\n\f\r"
#define OCTAL	    "01234567"
#define PREFIX	    "bytes:"

static bool is_plain_character(const char *at, size_t bytes)
{
	return bytes && ((unsigned char)*at >= ' ' || strchr(SHORT_FORMS, *at));
}

static bool is_plain(const char *text)
{
	if (strncmp(text, PREFIX, strlen(PREFIX)) == 0)
		return false;
	while (*text) {
		size_t bytes = utf8_bytes(text);

		if (!is_plain_character(text, bytes))
			return false;
		text += bytes;
	}
	return true;
}

json_t *json_text(const char *raw)
{
	cleanup_free char *text = NULL;
	char *to;

	if (is_plain(raw))
		return json_string(raw);
	text = malloc(strlen(PREFIX) + 4 * strlen(raw) + 1);
	if (!text)
		return NULL;
	to = stpcpy(text, PREFIX);
	while (*raw) {
		size_t bytes = utf8_bytes(raw);

		if (is_plain_character(raw, bytes) && *raw != '\\') {
			to = mempcpy(to, raw, bytes);
			raw += bytes;
		} else {
			to += sprintf(to, "\\%03o", (unsigned char)*raw++);
		}
	}
	*to = '\0';
	return json_string(text);
}

/* In place. A NUL byte has no place in what this was made of. */
static int unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text != '\\') {
			*to++ = *text++;
			continue;
		}
		if (strspn(text + 1, OCTAL) < 3 || text[1] > '3' || strncmp(text, "\\000", 4) == 0)
			return -1;
		*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
		text += 4;
	}
	*to = '\0';
	return 0;
}

char *json_text_read(const json_t *text)
{
	const char *from = json_string_value(text);
	bool escaped = from && strncmp(from, PREFIX, strlen(PREFIX)) == 0;
	char *raw;

	if (!from || strlen(from) != json_string_length(text))
		return NULL;
	raw = strdup(escaped ? from + strlen(PREFIX) : from);
	if (!raw || !escaped || unescape(raw) == 0)
		return raw;
	free(raw);
	return NULL;
}

static int put(const char *data, size_t bytes, void *context)
{
	while (bytes) {
		ssize_t n = write(*(int *)context, data, bytes);

		if (n < 0 && errno != EINTR)
			return -1;
		data += n < 0 ? 0 : n;
		bytes -= n < 0 ? 0 : (size_t)n;
	}
	return 0;
}

int json_text_dump(json_t *document, int fd, const char *option, struct error *err)
{
	cleanup_free char *text =
		document ? json_dumps(document, JSON_SORT_KEYS | JSON_COMPACT) : NULL;

	json_decref(document);
	if (!text)
		return error_set(err, ENOMEM, "%s", option);
	if (put(text, strlen(text), &fd) || put("\n", 1, &fd))
		return error_set(err, errno, "%s: cannot write", option);
	return 0;
}
