#include "guest/lines.h"

#define PID_DIGITS 10

void lines_open(struct lines *lines, const char *path)
{
	lines->fd = sys(__NR_openat, FD_PROC, path, O_RDONLY | O_CLOEXEC);
	lines->at = lines->end = 0;
	lines->over = failed(lines->fd);
}

static void fill(struct lines *lines)
{
	uint32_t left = lines->end - lines->at;
	long n;

	memmove(lines->buffer, lines->buffer + lines->at, left);
	lines->at = 0;
	lines->end = left;
	n = sys(__NR_read, lines->fd, lines->buffer + left, sizeof(lines->buffer) - 1 - left);
	if (n <= 0)
		lines->over = true;
	else
		lines->end += (uint32_t)n;
}

char *lines_next(struct lines *lines)
{
	uint32_t length = 0;
	char *line;

	for (;;) {
		line = lines->buffer + lines->at;
		while (lines->at + length < lines->end && line[length] != '\n')
			length++;
		if (lines->at + length < lines->end)
			break;
		if (lines->over || length == sizeof(lines->buffer) - 1) {
			if (!length)
				return NULL;
			break;
		}
		fill(lines);
	}
	line[length] = 0;
	lines->at += length + (lines->at + length < lines->end);
	return line;
}

void lines_close(struct lines *lines)
{
	if (!failed(lines->fd))
		sys(__NR_close, lines->fd);
}

uint64_t parse_decimal(const char **at)
{
	uint64_t n = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		n = n * 10 + (uint64_t)(**at - '0');
	return n;
}

uint64_t parse_hex(const char **at)
{
	uint64_t n = 0;

	for (;; ++*at) {
		if (**at >= '0' && **at <= '9')
			n = n * 16 + (uint64_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			n = n * 16 + (uint64_t)(**at - 'a' + 10);
		else
			return n;
	}
}

const char *skip_spaces(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

const char *after_prefix(const char *text, const char *prefix)
{
	while (*prefix)
		if (*text++ != *prefix++)
			return NULL;
	return text;
}

const char *after_slash(const char *at)
{
	while (*at == '/')
		at++;
	return at;
}

const char *after_number(const char *text, uint64_t *number)
{
	const char *at = text;

	*number = parse_decimal(&at);
	return at == text || at - text > PID_DIGITS || (*at && *at != '/') ? NULL : at;
}
