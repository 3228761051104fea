/* Text in pieces that causes are recognised by: words, paths, dates. */
#ifndef STET_DIFF_TOKEN_H
#define STET_DIFF_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_END,
	TOKEN_BLANK,
	TOKEN_MARK,    /* one character that is none of the others */
	TOKEN_WORD,    /* letters, digits, underscores, and whatever is beyond ASCII */
	TOKEN_DATE,    /* or time of day */
	TOKEN_PATH,    /* absolute */
	TOKEN_UUID,    /* 8-4-4-4-12 */
	TOKEN_ADDRESS, /* 0x and digits */
	TOKEN_MODE,    /* as ls shows it */
	TOKEN_VERSION, /* 5.10.0-21-amd64 */
};

struct token {
	enum token_kind kind;
	const char *start;
	size_t size;
};

/* The token at `at`, which is in a text that begins at `start`. */
struct token token_next(const char *start, const char *at, const char *end);
bool token_equal(const struct token *a, const struct token *b);

#endif
