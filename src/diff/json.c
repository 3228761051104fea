#include "diff/json.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"

#define SIZE_MOST  (32u << 20) /* of a text; its tree takes about ten times that */
#define SAID_MOST  200	       /* differences that are told one by one */
#define VALUE_MOST 60	       /* bytes of a value that are shown */
#define TRIM_DEPTH 16	       /* deeper arrays are compared place by place */

static bool is_blank(unsigned char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* In braces or brackets; whether there is JSON between them, only a parser can tell. */
bool json_is(const struct blob *blob)
{
	uint64_t start = 0, end = blob->size;

	if (end > SIZE_MOST)
		return false;
	while (start < end && is_blank(blob->data[start]))
		start++;
	while (end > start && is_blank(blob->data[end - 1]))
		end--;
	if (end - start < 2)
		return false;
	return (blob->data[start] == '{' && blob->data[end - 1] == '}') ||
	       (blob->data[start] == '[' && blob->data[end - 1] == ']');
}

/* The way to a value: a key of an object, or a place in an array. */
struct step {
	const struct step *before;
	const char *key; /* NULL: a place */
	size_t key_size;
	size_t place;
	unsigned depth;
};

struct comparison {
	struct node *node;
	size_t said, unsaid;
	enum level unsaid_level;
	bool order_differs;
	bool failed; /* no memory */
};

static bool is_word(const char *key, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!isalnum((unsigned char)key[i]) && key[i] != '_' && key[i] != '-')
			return false;
	return size > 0;
}

static void put_step(FILE *out, const struct step *step)
{
	if (!step->before) {
		fputc('$', out);
		return;
	}
	if (!step->key)
		fprintf(out, "[%zu]", step->place);
	else if (is_word(step->key, step->key_size))
		fprintf(out, ".%s", step->key);
	else
		fprintf(out, "[\"%.*s\"]", (int)step->key_size, step->key);
}

static char *path_text(const struct step *last)
{
	const struct step **steps = calloc(last->depth + 1, sizeof(*steps));
	char *text = NULL;
	size_t size = 0;
	FILE *out = steps ? open_memstream(&text, &size) : NULL;

	if (out) {
		for (const struct step *step = last; step; step = step->before)
			steps[step->depth] = step;
		for (unsigned i = 0; i <= last->depth; i++)
			put_step(out, steps[i]);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	free(steps);
	return text;
}

/* A value on one line, its end cut off when it is long. */
static char *value_text(const json_t *value)
{
	char *text;
	size_t cut = VALUE_MOST;

	if (json_is_object(value) && json_object_size(value) && asprintf(&text, "{...}") >= 0)
		return text;
	if (json_is_array(value) && json_array_size(value) && asprintf(&text, "[...]") >= 0)
		return text;
	text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	if (!text || strlen(text) <= cut + 3)
		return text;
	while (cut && ((unsigned char)text[cut] & 0xc0) == 0x80)
		cut--;
	memcpy(text + cut, "...", sizeof("..."));
	return text;
}

/* Is this one told? All count. */
static bool is_told(struct comparison *comparison, enum level level)
{
	if (comparison->said++ < SAID_MOST)
		return true;
	comparison->unsaid++;
	if (comparison->unsaid_level < level)
		comparison->unsaid_level = level;
	return false;
}

static const char *cause_of_values(const json_t *a, const json_t *b)
{
	if (!json_is_string(a) || !json_is_string(b))
		return NULL;
	return cause_of_text(json_string_value(a), json_string_length(a), json_string_value(b),
		json_string_length(b));
}

static void say_values(struct comparison *comparison, const struct step *step, enum level level,
	const json_t *a, const json_t *b)
{
	if (is_told(comparison, level)) {
		cleanup_free char *path = path_text(step), *one = value_text(a),
				  *other = value_text(b);

		if (!path || !one || !other ||
			node_say(comparison->node, level, cause_of_values(a, b), "%s: %s, %s", path,
				one, other))
			comparison->failed = true;
	}
}

static void say_lonely(struct comparison *comparison, const struct step *step, const char *side,
	const json_t *value)
{
	if (is_told(comparison, LEVEL_DIFFERENT)) {
		cleanup_free char *path = path_text(step), *text = value_text(value);

		if (!path || !text ||
			node_say(comparison->node, LEVEL_DIFFERENT, NULL, "%s: only in %s: %s",
				path, side, text))
			comparison->failed = true;
	}
}

static void compare_values(
	struct comparison *comparison, const struct step *step, const json_t *a, const json_t *b);

static struct step key_step(const struct step *before, void *iterator)
{
	return (struct step){ .before = before,
		.key = json_object_iter_key(iterator),
		.key_size = strlen(json_object_iter_key(iterator)),
		.depth = before->depth + 1 };
}

/* Jansson keeps the order of the text. */
static bool same_order(json_t *a, json_t *b)
{
	void *one = json_object_iter(a), *other = json_object_iter(b);

	while (one && other) {
		if (strcmp(json_object_iter_key(one), json_object_iter_key(other)) != 0)
			return false;
		one = json_object_iter_next(a, one);
		other = json_object_iter_next(b, other);
	}
	return true;
}

static void compare_objects(
	struct comparison *comparison, const struct step *before, json_t *a, json_t *b)
{
	bool lonely = false;

	for (void *i = json_object_iter(a); i; i = json_object_iter_next(a, i)) {
		struct step step = key_step(before, i);
		const json_t *other = json_object_get(b, step.key);

		if (other) {
			compare_values(comparison, &step, json_object_iter_value(i), other);
		} else {
			say_lonely(comparison, &step, "A", json_object_iter_value(i));
			lonely = true;
		}
	}
	for (void *i = json_object_iter(b); i; i = json_object_iter_next(b, i)) {
		struct step step = key_step(before, i);

		if (!json_object_get(a, step.key)) {
			say_lonely(comparison, &step, "B", json_object_iter_value(i));
			lonely = true;
		}
	}
	if (!lonely && !same_order(a, b))
		comparison->order_differs = true;
}

/* How many elements at the start, or at the end, are equal: what is between them differs. */
static size_t equal_elements(const json_t *a, const json_t *b, size_t most, bool at_end)
{
	size_t a_size = json_array_size(a), b_size = json_array_size(b), equal = 0;

	while (equal < most && json_equal(json_array_get(a, at_end ? a_size - 1 - equal : equal),
				       json_array_get(b, at_end ? b_size - 1 - equal : equal)))
		equal++;
	return equal;
}

static void compare_arrays(
	struct comparison *comparison, const struct step *before, const json_t *a, const json_t *b)
{
	size_t a_end = json_array_size(a), b_end = json_array_size(b);
	size_t both = a_end < b_end ? a_end : b_end, start = 0, after = 0;
	struct step step = { .before = before, .depth = before->depth + 1 };

	if (a_end != b_end && before->depth < TRIM_DEPTH) {
		start = equal_elements(a, b, both, false);
		after = equal_elements(a, b, both - start, true);
	}
	/* Those that are equal are gone through too: their keys may have another order. */
	for (step.place = 0; step.place < both - after; step.place++)
		compare_values(comparison, &step, json_array_get(a, step.place),
			json_array_get(b, step.place));
	for (step.place = both - after; step.place < a_end - after; step.place++)
		say_lonely(comparison, &step, "A", json_array_get(a, step.place));
	for (step.place = both - after; step.place < b_end - after; step.place++)
		say_lonely(comparison, &step, "B", json_array_get(b, step.place));
	for (size_t i = after; i > 0; i--) {
		step.place = a_end - i;
		compare_values(comparison, &step, json_array_get(a, a_end - i),
			json_array_get(b, b_end - i));
	}
}

static void compare_values(
	struct comparison *comparison, const struct step *step, const json_t *a, const json_t *b)
{
	if (comparison->failed)
		return;
	if (json_typeof(a) != json_typeof(b))
		say_values(comparison, step,
			json_is_boolean(a) && json_is_boolean(b) ? LEVEL_STRUCTURE
								 : LEVEL_DIFFERENT,
			a, b);
	else if (json_is_object(a))
		compare_objects(comparison, step, (json_t *)a, (json_t *)b);
	else if (json_is_array(a))
		compare_arrays(comparison, step, a, b);
	else if (!json_equal(a, b))
		say_values(comparison, step, LEVEL_STRUCTURE, a, b);
}

static int say_rest(struct comparison *comparison)
{
	struct node *node = comparison->node;

	if (comparison->failed)
		return -1;
	if (comparison->unsaid && node_say(node, comparison->unsaid_level, NULL,
					  "%zu more values differ", comparison->unsaid))
		return -1;
	if (comparison->order_differs &&
		node_say(node, LEVEL_CONTENT, CAUSE_ORDER, "keys come in another order"))
		return -1;
	if (node->level != LEVEL_BITS)
		return 0;
	return node_say(node, LEVEL_CONTENT, NULL,
		"the same values: differs only in blanks, escapes or how numbers are written");
}

static json_t *load(const struct blob *blob)
{
	return json_loadb((const char *)blob->data, blob->size,
		JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
}

enum compared json_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct comparison comparison = { .node = node };
	const struct step root = { 0 };
	json_t *a = load(&pair->a), *b = a ? load(&pair->b) : NULL;
	enum compared compared = NOT_THIS;

	(void)diff;
	if (a && b) {
		compare_values(&comparison, &root, a, b);
		compared = COMPARED;
		if (say_rest(&comparison)) {
			error_set(err, ENOMEM, "cannot compare %s", node->name);
			compared = COMPARE_FAILED;
		}
	}
	json_decref(a);
	json_decref(b);
	return compared;
}
