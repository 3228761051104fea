#include "diff/compare.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/binary.h"
#include "diff/formats.h"

#define EXPANSION 256 /* of a file in all, beyond the limit of memory; packages have 3 to 30 */

/* A pattern is for a name, also for the last part of one with directories. */
static bool matches(const char *pattern, const char *name)
{
	const char *slash = strrchr(name, '/');

	return fnmatch(pattern, name, 0) == 0 ||
	       (slash && slash[1] && fnmatch(pattern, slash + 1, 0) == 0);
}

/* What is ignored is so with all that is below: each directory on the way is asked for, too. */
static bool is_ignored(const char *pattern, const char *path, char *name)
{
	if (path && fnmatch(pattern, path, 0) == 0)
		return true;
	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool ignored;

		*slash = '\0';
		ignored = *name && matches(pattern, name);
		*slash = '/';
		if (ignored)
			return true;
	}
	return matches(pattern, name);
}

bool compare_ignores(const struct diff *diff, const char *name)
{
	cleanup_free char *path = NULL, *copy = NULL;

	if (!diff->options->ignored_count)
		return false;
	if (diff->path && asprintf(&path, "%s > %s", diff->path, name) < 0)
		path = NULL;
	copy = strdup(strncmp(name, "./", 2) == 0 && name[2] ? name + 2 : name);
	for (size_t i = 0; copy && i < diff->options->ignored_count; i++)
		if (is_ignored(diff->options->ignored[i], path, copy))
			return true;
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

enum compared compare_as_bytes(struct diff *diff, struct node *node, const struct pair *pair,
	const char *why, struct error *err)
{
	enum compared compared;

	node->format = "bytes";
	compared = binary_compare(diff, node, pair, err);
	if (compared == COMPARED &&
		node_say(node, LEVEL_STRUCTURE, NULL, "not looked into: %s", why))
		compared = COMPARE_FAILED;
	return compared;
}

/* Archives of archives may multiply, however little of them is held at a time. */
static void start_file(struct diff *diff, const struct pair *pair)
{
	uint64_t size = pair->a.size + pair->b.size;

	diff->budget.all = 0;
	diff->budget.most = size < (UINT64_MAX - diff->options->memory) / EXPANSION
				    ? diff->options->memory + size * EXPANSION
				    : UINT64_MAX;
}

static enum compared compare_new(struct diff *diff, struct node *node, const struct pair *pair,
	compare_function *how, struct error *err)
{
	enum compared compared;

	if (diff->depth == 1)
		start_file(diff, pair);
	if (diff->depth > diff->options->depth)
		return compare_as_bytes(diff, node, pair, "nested deeper than --depth allows", err);
	compared = how ? how(diff, node, pair, err) : try_formats(diff, node, pair, err);
	if (compared != COMPARE_FAILED || !diff->budget.exceeded)
		return compared;
	diff->budget.exceeded = false;
	node_clear(node);
	return compare_as_bytes(
		diff, node, pair, "unpacked it has more than --memory-limit allows", err);
}

struct node *compare_pair(struct diff *diff, const char *name, const struct pair *pair,
	compare_function *how, const char *format, struct error *err)
{
	struct node *node = node_new(name, format ? format : "bytes");
	enum compared compared;
	char *before;

	error_set(err, ENOMEM, "cannot compare %s", name);
	if (!node)
		return NULL;
	node->ignored = compare_ignores(diff, name);
	if (node->ignored || (!how && blob_equal(&pair->a, &pair->b)))
		return node;
	before = enter(diff, name);
	compared = compare_new(diff, node, pair, how, err);
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
