#include "cli/values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"

#define HOSTNAME_MAX   64 /* __NEW_UTS_LEN */
#define NSEC_PER_SEC   1000000000u
#define ZONE_HOURS_MAX 14

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

	if (!text[strspn(text, ", ")])
		return error_set(err, 0, "--relax: names no source; all means every one");
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

void value_relax_tell(uint32_t relax, char *text, size_t room)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && used < room; i++)
		if (relax & 1u << i)
			used += (size_t)snprintf(
				text + used, room - used, "%s%s", used ? "," : "", sources[i]);
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

int value_number(const char *option, const char *text, uint64_t least, uint64_t most,
	uint64_t *number, struct error *err)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || *number < least || *number > most)
		return error_set(err, 0, "%s %s: must be a whole number from %llu to %llu", option,
			text, (unsigned long long)least, (unsigned long long)most);
	return 0;
}

int value_size(const char *option, const char *text, uint64_t *bytes, struct error *err)
{
	static const char suffixes[] = "KMGT";
	const char *suffix;
	char *end;

	errno = 0;
	*bytes = strtoull(text, &end, 10);
	suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
	if (suffix) {
		unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);

		if (*bytes > UINT64_MAX >> shift)
			errno = ERANGE;
		*bytes <<= shift;
		end++;
	}
	if (!isdigit((unsigned char)*text) || *end || errno)
		return error_set(err, 0,
			"%s %s: must be a number of bytes, with K, M, G or T behind it if need be",
			option, text);
	return 0;
}

/* A fraction of a second, ".123", at *text; answers ns. */
static uint32_t read_fraction(const char **text)
{
	uint32_t nsec = 0, unit = NSEC_PER_SEC;

	if (**text != '.')
		return 0;
	for (++*text; isdigit((unsigned char)**text); ++*text) {
		unit /= 10;
		nsec += unit * (uint32_t)(**text - '0');
	}
	return nsec;
}

/* "Z", "+hh:mm", "-hhmm" or nothing, which is UTC; answers seconds east, or -1. */
static int read_zone(const char *text, long *east)
{
	static const char *const forms[] = { "%2u:%2u%n", "%2u%2u%n" };
	unsigned hours, minutes;
	int used;

	*east = 0;
	if (!*text || strcmp(text, "Z") == 0)
		return 0;
	if ((*text != '+' && *text != '-') || text[1 + strspn(text + 1, "0123456789:")])
		return -1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (sscanf(text + 1, forms[i], &hours, &minutes, &used) < 2 || text[1 + used] ||
			hours > ZONE_HOURS_MAX || minutes > 59)
			continue;
		*east = (*text == '-' ? -1 : 1) * (hours * 3600l + minutes * 60l);
		return 0;
	}
	return -1;
}

/* Is it a day of the calendar? Others are taken for one of the next month. */
static bool is_day(struct tm date)
{
	int day = date.tm_mday;

	timegm(&date);
	return date.tm_mday == day;
}

static int read_iso(const char *text, struct machine *machine)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%d", &tm);
	long east;

	machine->epoch_nsec = 0;
	if (rest && !is_day(tm))
		return -1;
	if (rest && (*rest == 'T' || *rest == ' ')) {
		const char *minutes = rest + 1;

		rest = strptime(minutes, "%H:%M:%S", &tm);
		if (!rest)
			rest = strptime(minutes, "%H:%M", &tm);
		if (rest)
			machine->epoch_nsec = read_fraction(&rest);
	}
	if (!rest || read_zone(rest, &east))
		return -1;
	machine->epoch = timegm(&tm) - east;
	return 0;
}

static int read_seconds(const char *text, struct machine *machine)
{
	char *end;
	const char *rest;

	errno = 0;
	machine->epoch = strtoll(text, &end, 10);
	rest = end;
	machine->epoch_nsec = read_fraction(&rest);
	return !isdigit((unsigned char)*text) || *rest || errno ? -1 : 0;
}

int value_epoch(const char *option, const char *text, struct machine *machine, struct error *err)
{
	int failed = *text == '@' ? read_seconds(text + 1, machine) : read_iso(text, machine);

	if (failed || machine->epoch < 1 || machine->epoch > EPOCH_MAX)
		return error_set(err, 0,
			"%s %s: must be @SECONDS or a date as 1993-08-08T22:00:00Z, from 1970 to "
			"2200",
			option, text);
	return 0;
}
