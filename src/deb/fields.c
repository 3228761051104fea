#include "deb/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BEGIN	  "-----BEGIN PGP SIGNED MESSAGE-----"
#define SIGNATURE "\n-----BEGIN PGP SIGNATURE-----"

static char *next_line(const char *line)
{
	const char *end = strchrnul(line, '\n');

	return (char *)(*end ? end + 1 : end);
}

static int is_blank(const char *line)
{
	line += strspn(line, " \t\r");
	return *line == '\n' || *line == '\0';
}

/* A line of a signed message that begins with a dash has another one and a blank before it. */
static void remove_dashes(char *text)
{
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		size_t skip = strncmp(line, "- ", 2) == 0 ? 2 : 0;

		next = next_line(line);
		memmove(to, line + skip, (size_t)(next - line) - skip);
		to += (size_t)(next - line) - skip;
	}
	*to = '\0';
}

char *fields_unsigned(char *text)
{
	char *end;

	text += strspn(text, " \t\r\n");
	if (strncmp(text, BEGIN, strlen(BEGIN)) != 0)
		return text;
	while (*text && !is_blank(text)) /* the armor's own fields */
		text = next_line(text);
	text = next_line(text);
	end = strstr(text, SIGNATURE);
	if (!end)
		return NULL;
	end[1] = '\0';
	remove_dashes(text);
	return text;
}

static int is_field(const char *line, const char *name)
{
	size_t length = strlen(name);

	return strncasecmp(line, name, length) == 0 && line[length] == ':';
}

char *fields_find(const char *text, const char *name)
{
	const char *value, *end;

	text += strspn(text, "\n");
	while (*text && !is_blank(text) && !is_field(text, name))
		text = next_line(text);
	if (!*text || is_blank(text))
		return NULL;
	value = text + strlen(name) + 1;
	value += strspn(value, " \t");
	for (end = next_line(value); (*end == ' ' || *end == '\t') && !is_blank(end);)
		end = next_line(end);
	while (end > value && isspace((unsigned char)end[-1]))
		end--;
	return strndup(value, (size_t)(end - value));
}
