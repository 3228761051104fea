#include "cli/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define OCTAL "01234567"

/* A field of the list: its escapes are undone in place. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && strspn(text + 1, OCTAL) >= 3) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static char *take_field(char **rest)
{
	char *field = strsep(rest, " ");

	return field ? field : "";
}

/* What comes behind the owner. */
static int read_details(struct listed *file, char *rest)
{
	char *field = take_field(&rest);

	if (file->type == 'l') {
		file->target = strdup(field);
		if (file->target)
			unescape(file->target);
		return file->target ? 0 : -1;
	}
	if (file->type != 'f' || strcmp(field, "unreadable") == 0)
		return 0;
	if (sscanf(field, "%" SCNu64, &file->size) != 1 ||
		sscanf(take_field(&rest), "sha256:%64[0-9a-f]", file->hash) != 1)
		return -1;
	return strlen(file->hash) == HASH_TEXT - 1 ? 0 : -1;
}

static int read_line(struct listed *file, char *line)
{
	char *rest = line + 1, *type;

	file->deed = (unsigned char)line[0];
	if (line[0])
		file->path = strdup(take_field(&rest));
	if (!file->path)
		return -1;
	unescape(file->path);
	if (file->deed == BOX_DELETED)
		return 0;
	type = take_field(&rest);
	file->type = type[0];
	if (sscanf(take_field(&rest), "%o", &file->mode) != 1 ||
		sscanf(take_field(&rest), "%u:%u", &file->uid, &file->gid) != 2)
		return -1;
	return read_details(file, rest);
}

int listing_next(const char **listing, struct listed *file)
{
	size_t bytes = strcspn(*listing, "\n");
	cleanup_free char *line = NULL;

	free(file->path);
	free(file->target);
	*file = (struct listed){ 0 };
	if (!**listing)
		return 0;
	line = strndup(*listing, bytes);
	*listing += bytes + ((*listing)[bytes] == '\n');
	return line && read_line(file, line) == 0 ? 1 : -1;
}
