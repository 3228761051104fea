#include "box/mountinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"

static int read_all(int fd, char **text, size_t *bytes)
{
	size_t room = 0;
	ssize_t n;

	*text = NULL;
	*bytes = 0;
	do {
		if (room - *bytes < 4096) {
			char *more = realloc(*text, room = 2 * room + 16384);

			if (!more)
				return -1;
			*text = more;
		}
		n = read(fd, *text + *bytes, room - *bytes - 1);
		if (n < 0)
			return -1;
		*bytes += (size_t)n;
	} while (n > 0);
	(*text)[*bytes] = '\0';
	return 0;
}

/* The kernel writes blanks and backslashes in names as \ooo. */
static char *copy_unescaped(char *to, const char *from, const char *end)
{
	while (from < end) {
		if (from[0] == '\\' && end - from >= 4) {
			*to++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 |
				       (from[3] - '0'));
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to++ = '\0';
	return to;
}

void mountinfo_parse(struct mountinfo *mounts)
{
	char *line = mounts->text, *to = mounts->text, *next;

	for (; line && *line; line = next) {
		char *field = line;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		for (int i = 0; field && i < 4; i++)
			field = (field = strchr(field, ' ')) ? field + 1 : NULL;
		if (field)
			to = copy_unescaped(to, field, strchrnul(field, ' '));
	}
	mounts->bytes = (size_t)(to - mounts->text);
}

int mountinfo_read(struct mountinfo *mounts, struct error *err)
{
	cleanup_close int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read_all(fd, &mounts->text, &mounts->bytes))
		return error_set(err, errno, "cannot read /proc/self/mountinfo");
	mountinfo_parse(mounts);
	return 0;
}

bool mountinfo_below(const struct mountinfo *mounts, const char *path)
{
	size_t length = strcmp(path, "/") ? strlen(path) : 0;

	for (const char *point = mounts->text; point < mounts->text + mounts->bytes;
		point += strlen(point) + 1)
		if (strncmp(point, path, length) == 0 && point[length] == '/' && point[length + 1])
			return true;
	return false;
}
