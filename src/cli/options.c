#include "cli/options.h"

#include <stdio.h>
#include <string.h>

struct parser {
	const struct option_row *rows;
	size_t count;
	void *target;
	char **next; /* the word to look at */
};

static const struct option_row *find_long(const struct parser *p, const char *name, size_t length)
{
	for (size_t i = 0; i < p->count; i++)
		if (strlen(p->rows[i].name) == length && memcmp(p->rows[i].name, name, length) == 0)
			return &p->rows[i];
	return NULL;
}

static const struct option_row *find_short(const struct parser *p, char letter)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->rows[i].letter && p->rows[i].letter == letter)
			return &p->rows[i];
	return NULL;
}

/* `value` is what stood in the same word, or NULL. */
static int apply(
	struct parser *p, const struct option_row *row, const char *value, struct error *err)
{
	if (!row->set)
		return error_set(err, 0, "this version does not have --%s", row->name);
	if (row->value && !value) {
		value = *p->next;
		if (!value)
			return error_set(err, 0, "--%s needs a value: --%s %s", row->name,
				row->name, row->value);
		p->next++;
	}
	if (!row->value && value)
		return error_set(err, 0, "--%s takes no value", row->name);
	return row->set(p->target, value, err);
}

static int take_long(struct parser *p, const char *word, struct error *err)
{
	const char *equals = strchrnul(word, '=');
	const struct option_row *row = find_long(p, word, (size_t)(equals - word));

	if (!row)
		return error_set(
			err, 0, "unknown option --%.*s; see --help", (int)(equals - word), word);
	return apply(p, row, *equals ? equals + 1 : NULL, err);
}

static int take_short(struct parser *p, const char *letters, struct error *err)
{
	for (; *letters; letters++) {
		const struct option_row *row = find_short(p, *letters);

		if (!row)
			return error_set(err, 0, "unknown option -%c; see --help", *letters);
		if (row->value)
			return apply(p, row, letters[1] ? letters + 1 : NULL, err);
		if (apply(p, row, NULL, err))
			return -1;
	}
	return 0;
}

int options_parse(const struct option_row *rows, size_t count, void *target, char **argv,
	char ***rest, struct error *err)
{
	struct parser p = { rows, count, target, argv };

	while (*p.next && p.next[0][0] == '-' && p.next[0][1]) {
		const char *word = *p.next++;

		if (strcmp(word, "--") == 0)
			break;
		if (word[1] == '-' ? take_long(&p, word + 2, err) : take_short(&p, word + 1, err))
			return -1;
	}
	*rest = p.next;
	return 0;
}

void options_help(const struct option_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char left[64], letter[8] = "    ";

		if (!rows[i].set)
			continue;
		if (rows[i].letter)
			snprintf(letter, sizeof(letter), "-%c, ", rows[i].letter);
		snprintf(left, sizeof(left), "  %s--%s %s", letter, rows[i].name,
			rows[i].value ? rows[i].value : "");
		printf("%-28s%s%s\n", left,
			strlen(left) > 27 ? "\n                            " : "", rows[i].help);
	}
}
