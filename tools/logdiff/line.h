/* Lines of an event log (doc/log.md), and what of them is compared. */
#ifndef STET_LOGDIFF_LINE_H
#define STET_LOGDIFF_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line {
	uint64_t seq;
	const char *task; /* its name, of task_length bytes */
	size_t task_length;
	const char *event; /* the rest of the line, terminated */
};

struct rules {
	bool ignore_results, ignore_addresses;
	const char *only; /* events of this name, or NULL */
	const char *task; /* events of this task, or NULL */
};

/* Takes `text`, without a newline, apart. False when it is a remark or no line of a log. */
bool line_parse(const char *text, struct line *line);

bool line_is_wanted(const struct line *line, const struct rules *rules);

/* Continues `hash` by what the rules leave of the event. */
uint64_t line_hash(const struct line *line, const struct rules *rules, uint64_t hash);

#endif
