#include "logdiff/log.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define TROUBLE	     125
#define BUFFER_BYTES (1 << 20)

struct log {
	const char *path;
	FILE *file;
	char *text;
	size_t room;
	uint64_t lines; /* read so far */
};

struct log *log_open(const char *path)
{
	struct log *log = calloc(1, sizeof(*log));
	struct stat status;

	if (!log)
		err(TROUBLE, "cannot open %s", path);
	log->path = path;
	log->file = fopen(path, "re");
	if (!log->file || fstat(fileno(log->file), &status))
		err(TROUBLE, "cannot open %s", path);
	if (!S_ISREG(status.st_mode))
		errx(TROUBLE,
			"cannot compare %s: it must be a regular file, since it is read more than "
			"once",
			path);
	setvbuf(log->file, NULL, _IOFBF, BUFFER_BYTES);
	return log;
}

void log_rewind(struct log *log)
{
	rewind(log->file);
	log->lines = 0;
}

/* Takes the line apart; false when it is only a remark, or the unfinished end of a log. */
static bool take_line(const struct log *log, size_t length, struct line *line)
{
	bool finished = log->text[length - 1] == '\n';

	if (finished)
		log->text[length - 1] = 0;
	if (line_parse(log->text, line))
		return true;
	if (finished && log->text[0] != '#')
		errx(TROUBLE, "cannot compare %s: line %llu is no event", log->path,
			(unsigned long long)log->lines);
	return false;
}

bool log_next(struct log *log, const struct rules *rules, struct line *line, const char **text)
{
	ssize_t length;

	while ((length = getline(&log->text, &log->room, log->file)) > 0) {
		log->lines++;
		if (take_line(log, (size_t)length, line) && line_is_wanted(line, rules)) {
			*text = log->text;
			return true;
		}
	}
	if (ferror(log->file))
		err(TROUBLE, "cannot read %s", log->path);
	return false;
}

void log_close(struct log *log)
{
	fclose(log->file);
	free(log->text);
	free(log);
}
