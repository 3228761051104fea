#include "diff/cause.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "diff/date_form.h"
#include "diff/token.h"

#define LOOKED_AT    4096  /* bytes of each text */
#define WORDS_MOST   1024  /* whose order is looked at */
#define TIME_LEAST   3e8   /* seconds since 1970: 1979 */
#define TIME_MOST    4.2e9 /* 2103 */
#define TIME_NEAR    6.4e8 /* 20 years */

#define RECENT_LEAST 1420070400u /* 2015 */
#define RECENT_MOST  2208988800u /* 2040 */

/* What is looked at: both texts, token by token, in step. */
struct sides {
	const char *start[2], *end[2];
	struct token token[2];
	struct token word; /* the word before, which may say what this is */
};

static bool all_of(const struct token *token, int (*is)(int))
{
	for (size_t i = 0; i < token->size; i++)
		if (!is((unsigned char)token->start[i]))
			return false;
	return token->size > 0;
}

static double number_of(const struct token *token)
{
	double number = 0;

	for (size_t i = 0; i < token->size; i++)
		number = 10 * number + (token->start[i] - '0');
	return number;
}

/* Seconds since 1970, or thousandths and so on of them. */
static bool is_time(double a, double b)
{
	while (a > TIME_MOST && b > TIME_MOST) {
		a /= 1000;
		b /= 1000;
	}
	return a >= TIME_LEAST && b >= TIME_LEAST && a <= TIME_MOST && b <= TIME_MOST &&
	       a - b < TIME_NEAR && b - a < TIME_NEAR;
}

/* 20240131, maybe with a time of day behind. */
static bool is_packed_date(const struct token *token)
{
	const char *at = token->start;
	int month = (at[4] - '0') * 10 + at[5] - '0', day = (at[6] - '0') * 10 + at[7] - '0';

	return (at[0] == '1' || at[0] == '2') && (at[1] == '9' || at[1] == '0') && month >= 1 &&
	       month <= 12 && day >= 1 && day <= 31;
}

static const char *cause_of_numbers(const struct token *a, const struct token *b)
{
	if (a->size == b->size && (a->size == 8 || a->size == 12 || a->size == 14) &&
		is_packed_date(a) && is_packed_date(b))
		return CAUSE_TIME;
	if (a->size >= 9 && b->size >= 9)
		return is_time(number_of(a), number_of(b)) ? CAUSE_TIME : CAUSE_RANDOM;
	return NULL;
}

/* What a word of the same text says of what stands beside it. */
static const struct {
	const char *word, *cause;
} contexts[] = {
	{ "copyright", CAUSE_TIME },
	{ "date", CAUSE_TIME },
	{ "elapsed", CAUSE_TIME },
	{ "gid", CAUSE_OWNER },
	{ "group", CAUSE_OWNER },
	{ "host", CAUSE_HOST },
	{ "hostname", CAUSE_HOST },
	{ "inode", CAUSE_RANDOM },
	{ "jobs", CAUSE_CPUS },
	{ "kernel", CAUSE_KERNEL },
	{ "lang", CAUSE_LOCALE },
	{ "linux", CAUSE_KERNEL },
	{ "locale", CAUSE_LOCALE },
	{ "logname", CAUSE_OWNER },
	{ "machine", CAUSE_HOST },
	{ "mode", CAUSE_MODE },
	{ "node", CAUSE_HOST },
	{ "nodename", CAUSE_HOST },
	{ "nproc", CAUSE_CPUS },
	{ "owner", CAUSE_OWNER },
	{ "pid", CAUSE_PID },
	{ "ppid", CAUSE_PID },
	{ "process", CAUSE_PID },
	{ "seed", CAUSE_RANDOM },
	{ "time", CAUSE_TIME },
	{ "timestamp", CAUSE_TIME },
	{ "tz", CAUSE_TIME },
	{ "uid", CAUSE_OWNER },
	{ "umask", CAUSE_MODE },
	{ "user", CAUSE_OWNER },
	{ "username", CAUSE_OWNER },
	{ "year", CAUSE_TIME },
	{ "cores", CAUSE_CPUS },
	{ "cpus", CAUSE_CPUS },
	{ "processors", CAUSE_CPUS },
	{ "seconds", CAUSE_TIME },
	{ "threads", CAUSE_CPUS },
};

static const char *cause_of_context(const struct token *word)
{
	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
		if (strlen(contexts[i].word) == word->size &&
			strncasecmp(contexts[i].word, word->start, word->size) == 0)
			return contexts[i].cause;
	return NULL;
}

static char before(const struct sides *sides)
{
	return sides->token[0].start > sides->start[0] ? sides->token[0].start[-1] : '\0';
}

static char after(const struct sides *sides)
{
	const char *at = sides->token[0].start + sides->token[0].size;

	return at < sides->end[0] ? *at : '\0';
}

static const char *cause_of_next_word(const struct sides *sides)
{
	const char *at = sides->token[0].start + sides->token[0].size;
	struct token next = token_next(sides->start[0], at, sides->end[0]);

	if (next.kind == TOKEN_BLANK)
		next = token_next(sides->start[0], at + next.size, sides->end[0]);
	return next.kind == TOKEN_WORD ? cause_of_context(&next) : NULL;
}

/* Letters of both cases, or letters and digits: few names that people give are like that. */
static bool is_mixed(const struct token *token)
{
	bool lower = false, upper = false, digit = false;

	for (size_t i = 0; i < token->size; i++) {
		lower |= islower((unsigned char)token->start[i]) != 0;
		upper |= isupper((unsigned char)token->start[i]) != 0;
		digit |= isdigit((unsigned char)token->start[i]) != 0;
	}
	return lower + upper + digit >= 2;
}

/* What mktemp makes of XXXXXX, and the like. */
static bool is_random_name(const struct token *a, const struct token *b)
{
	size_t differing = 0;

	if (a->size != b->size || a->size < 6)
		return false;
	for (size_t i = 0; i < a->size; i++)
		differing += a->start[i] != b->start[i];
	return differing >= 3 && (is_mixed(a) || is_mixed(b));
}

static bool is_size_of_hash(size_t digits)
{
	return digits == 32 || digits == 40 || digits == 56 || digits == 64 || digits == 96 ||
	       digits == 128;
}

static const char *cause_of_hex(const struct token *a, const struct token *b)
{
	if (a->size != b->size || a->size < 7)
		return NULL;
	return is_size_of_hash(a->size) ? CAUSE_HASH : CAUSE_RANDOM;
}

static const char *cause_of_words(const struct sides *sides)
{
	const struct token *a = &sides->token[0], *b = &sides->token[1];
	const char *cause = cause_of_context(&sides->word);

	if (before(sides) == '@')
		return CAUSE_HOST;
	if (after(sides) == '@')
		return CAUSE_OWNER;
	if (all_of(a, isdigit) && all_of(b, isdigit)) {
		const char *number = cause_of_numbers(a, b);

		if (number)
			return number;
		if (!cause && before(sides) == '[' && after(sides) == ']')
			return CAUSE_PID;
		return cause ? cause : cause_of_next_word(sides);
	}
	if (date_is_name(a->start, a->size) && date_is_name(b->start, b->size))
		return CAUSE_TIME;
	if (cause)
		return cause;
	if (all_of(a, isxdigit) && all_of(b, isxdigit) && (cause = cause_of_hex(a, b)))
		return cause;
	return is_random_name(a, b) ? CAUSE_RANDOM : NULL;
}

/* The next name of a path, at `at`, which is moved behind it. */
static struct token next_name(const char **at, const char *end)
{
	struct token name = { .kind = TOKEN_WORD };

	while (*at < end && **at == '/')
		++*at;
	name.start = *at;
	while (*at < end && **at != '/')
		++*at;
	name.size = (size_t)(*at - name.start);
	return name;
}

/* Paths with the same names but for random ones are such; others tell where something was built. */
static const char *cause_of_paths(const struct sides *sides)
{
	const struct token *a = &sides->token[0], *b = &sides->token[1];
	const char *a_at = a->start, *b_at = b->start;

	for (;;) {
		struct token one = next_name(&a_at, a->start + a->size);
		struct token other = next_name(&b_at, b->start + b->size);

		if (!one.size && !other.size)
			return CAUSE_RANDOM;
		if (!token_equal(&one, &other) && !is_random_name(&one, &other))
			return CAUSE_PATH;
	}
}

static const char *cause_of_versions(const struct sides *sides)
{
	return cause_of_context(&sides->word) ? cause_of_context(&sides->word) : CAUSE_VERSION;
}

/* 3.14 and 3,14; 'x' and what stands for these quotes elsewhere. */
static const char *cause_of_marks(const struct sides *sides)
{
	char a = *sides->token[0].start, b = *sides->token[1].start;
	bool points = (a == '.' && b == ',') || (a == ',' && b == '.');

	return points && isdigit((unsigned char)before(sides)) &&
			       isdigit((unsigned char)after(sides))
		       ? CAUSE_LOCALE
		       : NULL;
}

static const char *cause_of_tokens(const struct sides *sides)
{
	if (sides->token[0].kind != sides->token[1].kind)
		return NULL;
	switch (sides->token[0].kind) {
	case TOKEN_DATE:
		return CAUSE_TIME;
	case TOKEN_MODE:
		return CAUSE_MODE;
	case TOKEN_UUID:
	case TOKEN_ADDRESS:
		return CAUSE_RANDOM;
	case TOKEN_PATH:
		return cause_of_paths(sides);
	case TOKEN_VERSION:
		return cause_of_versions(sides);
	case TOKEN_WORD:
		return cause_of_words(sides);
	case TOKEN_MARK:
		return cause_of_marks(sides);
	default:
		return NULL;
	}
}

static bool step(struct sides *sides)
{
	for (int i = 0; i < 2; i++) {
		const struct token *token = &sides->token[i];

		sides->token[i] =
			token_next(sides->start[i], token->start + token->size, sides->end[i]);
	}
	return sides->token[0].kind != TOKEN_END && sides->token[1].kind != TOKEN_END;
}

static int by_text(const void *a, const void *b)
{
	const struct token *one = a, *other = b;
	size_t least = one->size < other->size ? one->size : other->size;
	int order = memcmp(one->start, other->start, least);

	return order ? order : (one->size > other->size) - (one->size < other->size);
}

static size_t list_words(const struct sides *sides, int side, struct token *words)
{
	struct token token = { .start = sides->start[side] };
	size_t count = 0;

	do {
		token = token_next(sides->start[side], token.start + token.size, sides->end[side]);
		if (token.kind != TOKEN_BLANK && token.kind != TOKEN_MARK &&
			token.kind != TOKEN_END)
			words[count++] = token;
	} while (token.kind != TOKEN_END && count < WORDS_MOST);
	return count;
}

static bool are_same(const struct token *words, const struct token *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!token_equal(&words[i], &others[i]))
			return false;
	return true;
}

/* The same words in another order. */
static bool is_reordered(const struct sides *sides)
{
	cleanup_free struct token *words = calloc(2 * WORDS_MOST, sizeof(*words));
	struct token *others = words + WORDS_MOST;
	size_t count = words ? list_words(sides, 0, words) : 0;

	if (count < 2 || count == WORDS_MOST || list_words(sides, 1, others) != count ||
		are_same(words, others, count))
		return false;
	qsort(words, count, sizeof(*words), by_text);
	qsort(others, count, sizeof(*others), by_text);
	return are_same(words, others, count);
}

const char *cause_of_text(const char *a, size_t a_size, const char *b, size_t b_size)
{
	struct sides sides = { .start = { a, b },
		.end = { a + (a_size < LOOKED_AT ? a_size : LOOKED_AT),
			b + (b_size < LOOKED_AT ? b_size : LOOKED_AT) },
		.token = { { .start = a }, { .start = b } },
		.word = { .start = a } };

	if (is_reordered(&sides))
		return CAUSE_ORDER;
	while (step(&sides)) {
		const char *cause = token_equal(&sides.token[0], &sides.token[1])
					    ? NULL
					    : cause_of_tokens(&sides);

		if (cause)
			return cause;
		if (sides.token[0].kind == TOKEN_WORD)
			sides.word = sides.token[0];
	}
	return NULL;
}

/* Times of the present only; of eight bytes, as of four too many other numbers look like one. Not
 * both end in zeros, as a small number does that is read from some bytes before it. */
static bool is_recent(uint64_t a, uint64_t b)
{
	return ((a | b) & 0xffff) && a >= RECENT_LEAST && a <= RECENT_MOST && b >= RECENT_LEAST &&
	       b <= RECENT_MOST;
}

/* The number may begin some bytes before those that differ. */
const char *cause_of_number(
	const struct blob *a, uint64_t a_at, const struct blob *b, uint64_t b_at)
{
	for (uint64_t back = 0; back < 8 && back <= a_at && back <= b_at; back++)
		if (is_recent(blob_be(a, a_at - back, 8), blob_be(b, b_at - back, 8)) ||
			is_recent(blob_le(a, a_at - back, 8), blob_le(b, b_at - back, 8)))
			return CAUSE_TIME;
	return NULL;
}
