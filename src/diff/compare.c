#include "diff/compare.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "diff/formats.h"

bool compare_ignores(const struct diff *diff, const char *name)
{
	for (size_t i = 0; i < diff->options->ignored_count; i++) {
		const char *pattern = diff->options->ignored[i];
		char *path;
		bool matches = fnmatch(pattern, name, 0) == 0;

		if (!matches && diff->path && asprintf(&path, "%s > %s", diff->path, name) >= 0) {
			matches = fnmatch(pattern, path, 0) == 0;
			free(path);
		}
		if (matches)
			return true;
	}
	return false;
}

/* The place of what is looked at, for the time that takes. */
static char *enter(struct diff *diff, const char *name)
{
	char *before = diff->path, *path = NULL;

	if (before ? asprintf(&path, "%s > %s", before, name) < 0 : !(path = strdup(name)))
		path = NULL;
	diff->path = path;
	diff->depth++;
	return before;
}

static void leave(struct diff *diff, char *before)
{
	free(diff->path);
	diff->path = before;
	diff->depth--;
}

static enum compared try_formats(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	const struct format *format = NULL;
	enum compared compared = NOT_THIS;

	while (compared == NOT_THIS && (format = formats_next(format, pair))) {
		node->format = format->name;
		compared = format->compare(diff, node, pair, err);
	}
	return compared;
}

static int too_deep(const struct diff *diff, struct node *node)
{
	if (diff->depth < diff->options->depth)
		return 0;
	return node_say(node, LEVEL_DIFFERENT, NULL, "nested deeper than %u: not looked into",
		       diff->options->depth)
		       ? -1
		       : 1;
}

struct node *compare_pair(struct diff *diff, const char *name, const struct pair *pair,
	compare_function *how, const char *format, struct error *err)
{
	struct node *node = node_new(name, format ? format : "bytes");
	enum compared compared = COMPARED;
	char *before;
	int deep;

	if (!node) {
		error_set(err, ENOMEM, "cannot compare %s", name);
		return NULL;
	}
	node->ignored = compare_ignores(diff, name);
	if (node->ignored || (!how && blob_equal(&pair->a, &pair->b)))
		return node;
	before = enter(diff, name);
	error_set(err, ENOMEM, "cannot compare %s", name);
	deep = too_deep(diff, node);
	if (deep < 0)
		compared = COMPARE_FAILED;
	else if (!deep)
		compared = how ? how(diff, node, pair, err) : try_formats(diff, node, pair, err);
	leave(diff, before);
	if (compared == COMPARED)
		return node;
	node_free(node);
	return NULL;
}

int compare_part(struct diff *diff, struct node *parent, const char *name, const struct pair *pair,
	struct error *err)
{
	struct node *node = compare_pair(diff, name, pair, NULL, NULL, err);

	if (!node)
		return -1;
	return node_add(parent, node) ? error_set(err, ENOMEM, "cannot compare %s", name) : 0;
}
