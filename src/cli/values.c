#include "cli/values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"

#define HOSTNAME_MAX 64 /* __NEW_UTS_LEN */

static const char *const sources[] = { "time", "random", "pid", "inode", "mtime", "dirents",
	"order", "threads", "cpu", "address", "proc", "env", "net" };
_Static_assert(1u << (sizeof(sources) / sizeof(sources[0])) == RELAX_ALL + 1, "a bit per source");

/* Cuts ":ro" and the like off the end of `text`. */
static enum box_mount_mode cut_mode(char *text)
{
	static const struct {
		const char *suffix;
		enum box_mount_mode mode;
	} modes[] = { { ":ro", BOX_MOUNT_RO }, { ":rw", BOX_MOUNT_RW },
		{ ":copy", BOX_MOUNT_COPY } };
	size_t length = strlen(text);

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		size_t suffix = strlen(modes[i].suffix);

		if (length > suffix && strcmp(text + length - suffix, modes[i].suffix) == 0) {
			text[length - suffix] = '\0';
			return modes[i].mode;
		}
	}
	return BOX_MOUNT_RW;
}

static void cut_slashes(char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
}

int value_mount(const char *text, struct box_mount *mount, struct error *err)
{
	cleanup_free char *host = strdup(text);
	char *inside;

	if (!host)
		return error_set(err, ENOMEM, "--mount");
	mount->mode = cut_mode(host);
	inside = strrchr(host, ':');
	if (inside)
		*inside++ = '\0';
	if (inside)
		cut_slashes(inside);
	if (inside && strcmp(inside, "/") == 0)
		return error_set(err, 0, "--mount %s: nothing can be mounted on / itself", text);
	if (inside && inside[0] != '/')
		return error_set(err, 0,
			"--mount %s: '%s' is neither an absolute path inside nor one of ro, rw, "
			"copy",
			text, inside);
	mount->host = realpath(host, NULL);
	if (!mount->host)
		return error_set(err, errno, "--mount %s: cannot find %s", text, host);
	mount->inside = strdup(inside ? inside : mount->host);
	return mount->inside ? 0 : error_set(err, ENOMEM, "--mount");
}

/* A decimal number that fits an id; the largest one means "no id" to the kernel. */
static int read_id(const char **text, unsigned *id)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -1;
	errno = 0;
	number = strtoul(*text, &end, 10);
	if (errno || number >= UINT_MAX)
		return -1;
	*text = end;
	*id = (unsigned)number;
	return 0;
}

int value_user(const char *text, uid_t *uid, gid_t *gid, struct error *err)
{
	const char *rest = text;

	*gid = 0;
	if (read_id(&rest, uid) == 0 && (*rest != ':' || (rest++, read_id(&rest, gid) == 0)) &&
		!*rest)
		return 0;
	return error_set(err, 0, "--user %s: must be UID or UID:GID, in numbers", text);
}

static int relax_one(const char *name, size_t length, uint32_t *relax)
{
	if (length == 3 && memcmp(name, "all", 3) == 0) {
		*relax = RELAX_ALL;
		return 0;
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (strlen(sources[i]) == length && memcmp(sources[i], name, length) == 0) {
			*relax |= 1u << i;
			return 0;
		}
	return -1;
}

int value_relax(const char *text, uint32_t *relax, struct error *err)
{
	const char *name = text;

	while (*(name += strspn(name, ", "))) {
		size_t length = strcspn(name, ", ");

		if (relax_one(name, length, relax))
			return error_set(err, 0,
				"--relax: '%.*s' is not a source; there are time random pid inode "
				"mtime dirents order threads cpu address proc env net, and all",
				(int)length, name);
		name += length;
	}
	return 0;
}

int value_hostname(const char *text, struct error *err)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '-' && text[i] != '.')
			length = 0;
	if (length == 0 || length > HOSTNAME_MAX)
		return error_set(err, 0,
			"--hostname %s: must be 1 to %d letters, digits, dots and dashes", text,
			HOSTNAME_MAX);
	return 0;
}

int value_seconds(const char *text, double *seconds, struct error *err)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	if (errno || end == text || *end || !isfinite(*seconds) || *seconds < 0)
		return error_set(
			err, 0, "--timeout %s: must be a number of seconds, 0 for none", text);
	return 0;
}
