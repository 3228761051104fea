/* From a record of randomness to what guests read: checked, and sorted by task. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena/entropy.h"
#include "base/cleanup.h"
#include "box/entropy.h"

/* One line: a part of a task's bytes. */
struct part {
	uint64_t place, execs, offset, bytes;
	const char *digits;
};

struct parts {
	struct part *all;
	size_t count, room;
};

static bool take_number(const char **at, int base, uint64_t *number)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	errno = 0;
	*number = strtoull(*at, &end, base);
	if (errno || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* The line ends in a newline. */
static bool part_parse(const char *line, struct part *part)
{
	const char *at = line + strspn(line, "0123456789.~");
	size_t digits;

	if (at == line || *at++ != ' ' || !take_number(&at, 16, &part->place) ||
		!take_number(&at, 10, &part->execs) || !take_number(&at, 10, &part->offset))
		return false;
	digits = strspn(at, "0123456789abcdef");
	part->digits = at;
	part->bytes = digits / 2;
	return digits && digits % 2 == 0 && at[digits] == '\n';
}

static struct part *part_add(struct parts *parts)
{
	if (parts->count == parts->room) {
		size_t room = parts->room ? 2 * parts->room : 256;
		struct part *all = reallocarray(parts->all, room, sizeof(*all));

		if (!all)
			return NULL;
		parts->all = all;
		parts->room = room;
	}
	return &parts->all[parts->count++];
}

static int parse(const char *path, const char *text, struct parts *parts, struct error *err)
{
	size_t number = 2;

	for (const char *line = text, *end; *line; line = end + 1, number++) {
		struct part *part;

		end = strchr(line, '\n');
		if (!end)
			return error_set(err, 0, "--entropy replay: %s is truncated", path);
		part = part_add(parts);
		if (!part)
			return error_set(err, ENOMEM, "--entropy replay: %s", path);
		if (!part_parse(line, part))
			return error_set(err, 0, "--entropy replay: %s is damaged in line %zu",
				path, number);
	}
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_parts(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	if (a->place != b->place)
		return compare(a->place, b->place);
	return a->execs != b->execs ? compare(a->execs, b->execs) : compare(a->offset, b->offset);
}

static bool same_task(const struct part *a, const struct part *b)
{
	return a->place == b->place && a->execs == b->execs;
}

/* Parts of one task follow each other without a gap. Counts the tasks; false when one is
 * missing. */
static bool count_tasks(const struct parts *parts, uint64_t *tasks)
{
	uint64_t next = 0;

	*tasks = 0;
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->all[i];

		if (i == 0 || !same_task(part - 1, part)) {
			next = 0;
			++*tasks;
		}
		if (part->offset != next)
			return false;
		next += part->bytes;
	}
	return true;
}

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void write_bytes(FILE *out, const struct part *part)
{
	for (uint64_t i = 0; i < part->bytes; i++)
		putc(digit(part->digits[2 * i]) << 4 | digit(part->digits[2 * i + 1]), out);
}

static void write_all(FILE *out, const struct parts *parts, uint64_t tasks)
{
	const struct entropy_header header = { tasks };
	uint64_t at = sizeof(header) + tasks * sizeof(struct entropy_entry);
	size_t i = 0;

	fwrite(&header, sizeof(header), 1, out);
	while (i < parts->count) {
		const struct part *first = &parts->all[i];
		struct entropy_entry entry = { first->place, first->execs, at, 0 };

		for (; i < parts->count && same_task(first, &parts->all[i]); i++)
			entry.bytes += parts->all[i].bytes;
		fwrite(&entry, sizeof(entry), 1, out);
		at += entry.bytes;
	}
	for (i = 0; i < parts->count; i++)
		write_bytes(out, &parts->all[i]);
}

/* Sealed: the container can neither change it nor, through it, the record. */
static int make_file(const struct parts *parts, uint64_t tasks, struct error *err)
{
	int fd = memfd_create("stet-entropy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int copy = fd < 0 ? -1 : dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	bool bad = !out;

	if (out) {
		write_all(out, parts, tasks);
		bad = ferror(out) | fclose(out);
	}
	if (bad ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)) {
		error_set(err, errno, "--entropy replay: cannot prepare the bytes");
		cleanup_close_do(&fd);
		return -1;
	}
	return fd;
}

static char *read_text(const char *path, struct error *err)
{
	cleanup_file FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t length;

	if (!in) {
		error_set(err, errno, "--entropy replay: cannot read %s", path);
		return NULL;
	}
	errno = 0;
	length = getdelim(&text, &room, 0, in);
	if (length > 0 && text[length - 1] && strlen(text) == (size_t)length)
		return text;
	if (ferror(in))
		error_set(err, errno, "--entropy replay: cannot read %s", path);
	else
		error_set(err, 0, "--entropy replay: %s is not a record of randomness", path);
	free(text);
	return NULL;
}

static int check_first(const char *path, const char *text, struct error *err)
{
	if (strncmp(text, ENTROPY_MAGIC, sizeof(ENTROPY_MAGIC) - 1) != 0)
		return error_set(
			err, 0, "--entropy replay: %s is not a record of randomness", path);
	if (strncmp(text, ENTROPY_FIRST, sizeof(ENTROPY_FIRST) - 1) != 0)
		return error_set(err, 0,
			"--entropy replay: %s is truncated, or of another version of Stet", path);
	return 0;
}

static int make_sorted(const char *path, struct parts *parts, struct error *err)
{
	uint64_t tasks;

	if (parts->count)
		qsort(parts->all, parts->count, sizeof(*parts->all), compare_parts);
	if (!count_tasks(parts, &tasks))
		return error_set(
			err, 0, "--entropy replay: %s is damaged: bytes are missing", path);
	return make_file(parts, tasks, err);
}

int entropy_replay_open(const char *path, struct error *err)
{
	cleanup_free char *text = read_text(path, err);
	struct parts parts = { 0 };
	int fd = -1;

	if (text && check_first(path, text, err) == 0 &&
		parse(path, text + sizeof(ENTROPY_FIRST) - 1, &parts, err) == 0)
		fd = make_sorted(path, &parts, err);
	free(parts.all);
	return fd;
}
