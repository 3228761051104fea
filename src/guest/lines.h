/* The kernel's own text of a /proc file, line by line: what generated texts are made from. */
#ifndef STET_GUEST_LINES_H
#define STET_GUEST_LINES_H

#include "guest/sys.h"

struct lines {
	long fd; /* or -errno */
	uint32_t at, end;
	bool over;
	char buffer[4096 + 128]; /* a line of maps with the longest path */
};

/* A file by its path below /proc. */
void lines_open(struct lines *lines, const char *path);
/* The next line without its end, or NULL. It is good until the next call. */
char *lines_next(struct lines *lines);
void lines_close(struct lines *lines);

/* Numbers in such lines: each moves `at` behind what it has read. */
uint64_t parse_decimal(const char **at);
uint64_t parse_hex(const char **at);
const char *skip_spaces(const char *at);
/* Behind the prefix, or NULL when the text does not begin with it. */
const char *after_prefix(const char *text, const char *prefix);
/* Behind all slashes here. */
const char *after_slash(const char *at);
/* Behind the number of a process or thread, at a slash or the end; NULL when there is none. */
const char *after_number(const char *text, uint64_t *number);

#endif
