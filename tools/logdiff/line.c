#include "logdiff/line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FNV_PRIME 0x100000001b3ull

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool line_parse(const char *text, struct line *line)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	line->seq = strtoull(text, &end, 10);
	if (*end != ' ')
		return false;
	line->task = end + 1;
	line->task_length = strcspn(line->task, "( ");
	line->event = strchr(line->task + line->task_length, ' ');
	if (line->task[line->task_length] != '(' || !line->event)
		return false;
	line->event++;
	return true;
}

static bool equals(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && memcmp(word, text, length) == 0;
}

bool line_is_wanted(const struct line *line, const struct rules *rules)
{
	if (rules->task && !equals(rules->task, line->task, line->task_length))
		return false;
	return !rules->only || equals(rules->only, line->event, strcspn(line->event, "( "));
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
	return hash;
}

/* How many bytes a quoted string has, with both quotes. */
static size_t quoted_length(const char *text)
{
	size_t i = 1;

	while (text[i] && text[i] != '"')
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	return i + (text[i] == '"');
}

/* How many bytes at `at`, outside of strings, do not count: by which way a call came never does. */
static size_t ignored_length(const char *at, const struct rules *rules)
{
	static const char slow[] = " [slow]";

	if (starts_with(at, slow))
		return strlen(slow);
	if (rules->ignore_results && starts_with(at, " = "))
		return strlen(at);
	if (rules->ignore_addresses && starts_with(at, "0x"))
		return 2 + strspn(at + 2, "0123456789abcdef");
	return 0;
}

uint64_t line_hash(const struct line *line, const struct rules *rules, uint64_t hash)
{
	const char *at = line->event;

	while (*at) {
		size_t ignored = ignored_length(at, rules);
		size_t counted = ignored ? 0 : *at == '"' ? quoted_length(at) : 1;

		hash = hash_bytes(hash, at, counted);
		at += ignored + counted;
	}
	return hash_bytes(hash, "\n", 1);
}
