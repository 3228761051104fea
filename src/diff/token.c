#include "diff/token.h"

#include <ctype.h>
#include <string.h>

#include "diff/date_form.h"

static bool is_word(char character)
{
	return isalnum((unsigned char)character) || character == '_' || (character & 0x80);
}

static size_t count_words(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && is_word(at[count]))
		count++;
	return count;
}

static size_t count_hex(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && isxdigit((unsigned char)at[count]))
		count++;
	return count;
}

static size_t uuid(const char *at, const char *end)
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	const char *from = at;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (i && (at == end || *at++ != '-'))
			return 0;
		if (count_hex(at, end) != groups[i])
			return 0;
		at += groups[i];
	}
	return (size_t)(at - from);
}

static size_t address(const char *at, const char *end)
{
	size_t count;

	if (end - at < 3 || at[0] != '0' || (at[1] | 0x20) != 'x')
		return 0;
	count = count_hex(at + 2, end);
	return count ? count + 2 : 0;
}

/* With at least two names: a lone / or a closing </b> is none. */
static size_t path(const char *at, const char *end)
{
	size_t count = 0, slashes = 0;

	while (at + count < end && (is_word(at[count]) || strchr("/._+~@%=-", at[count]))) {
		slashes += at[count] == '/' && at + count + 1 < end && is_word(at[count + 1]);
		count++;
	}
	return *at == '/' && slashes >= 2 ? count : 0;
}

static size_t mode(const char *at, const char *end)
{
	static const char *const letters[] = { "-dlbcps", "-r", "-w", "-xsS", "-r", "-w", "-xsS",
		"-r", "-w", "-xtT" };
	size_t i;

	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (at + i == end || !at[i] || !strchr(letters[i], at[i]))
			return 0;
	return memchr(at, 'r', i) ? i : 0;
}

/* At least three numbers with dots between. */
static size_t version(const char *at, const char *end)
{
	const char *from = at;
	unsigned dots = 0;

	while (at < end && isdigit((unsigned char)*at)) {
		while (at < end && isdigit((unsigned char)*at))
			at++;
		if (end - at < 2 || *at != '.' || !isdigit((unsigned char)at[1]))
			break;
		at++;
		dots++;
	}
	while (dots >= 2 && at < end && (is_word(*at) || strchr("-+~", *at)))
		at++;
	return dots >= 2 ? (size_t)(at - from) : 0;
}

static size_t word(const char *at, const char *end)
{
	return count_words(at, end);
}

static size_t blank(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && isspace((unsigned char)at[count]))
		count++;
	return count;
}

static const struct {
	enum token_kind kind;
	bool inside; /* may also begin in the midst of a word */
	size_t (*match)(const char *at, const char *end);
} scanners[] = {
	{ TOKEN_BLANK, true, blank },
	{ TOKEN_MODE, false, mode },
	{ TOKEN_DATE, false, date_form },
	{ TOKEN_UUID, false, uuid },
	{ TOKEN_ADDRESS, false, address },
	{ TOKEN_VERSION, false, version },
	{ TOKEN_PATH, true, path },
	{ TOKEN_WORD, true, word },
};

struct token token_next(const char *start, const char *at, const char *end)
{
	bool inside = at > start && is_word(at[-1]);

	if (at == end)
		return (struct token){ TOKEN_END, at, 0 };
	for (size_t i = 0; i < sizeof(scanners) / sizeof(scanners[0]); i++) {
		size_t size = inside && !scanners[i].inside ? 0 : scanners[i].match(at, end);

		if (size)
			return (struct token){ scanners[i].kind, at, size };
	}
	return (struct token){ TOKEN_MARK, at, 1 };
}

bool token_equal(const struct token *a, const struct token *b)
{
	return a->size == b->size && memcmp(a->start, b->start, a->size) == 0;
}
