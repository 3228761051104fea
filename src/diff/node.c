#include "diff/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *level_name(enum level level)
{
	static const char *const names[] = {
		[LEVEL_BITS] = "BITWISE-EQUAL",
		[LEVEL_CONTENT] = "CONTENT-EQUAL",
		[LEVEL_STRUCTURE] = "STRUCTURE-EQUAL",
		[LEVEL_DIFFERENT] = "DIFFERENT",
	};

	return names[level];
}

struct node *node_new(const char *name, const char *format)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->name = strdup(name);
	node->format = format;
	if (node->name)
		return node;
	free(node);
	return NULL;
}

void node_clear(struct node *node)
{
	for (size_t i = 0; i < node->finding_count; i++) {
		free(node->findings[i].what);
		free(node->findings[i].excerpt);
	}
	for (size_t i = 0; i < node->child_count; i++)
		node_free(node->children[i]);
	free(node->findings);
	free(node->children);
	*node = (struct node){ .name = node->name, .format = node->format };
}

void node_free(struct node *node)
{
	if (!node)
		return;
	node_clear(node);
	free(node->name);
	free(node);
}

/* Room for one more; it is doubled at each power of two. */
static void *grown(void *list, size_t count, size_t bytes)
{
	if (count & (count - 1))
		return list;
	return reallocarray(list, count ? 2 * count : 1, bytes);
}

int node_say(struct node *node, enum level level, const char *cause, const char *format, ...)
{
	struct finding *all = grown(node->findings, node->finding_count, sizeof(*all));
	struct finding *finding;
	va_list args;
	int n;

	if (!all)
		return -1;
	node->findings = all;
	finding = &all[node->finding_count];
	*finding = (struct finding){ .cause = cause, .level = level };
	va_start(args, format);
	n = vasprintf(&finding->what, format, args);
	va_end(args);
	if (n < 0)
		return -1;
	node->finding_count++;
	if (node->level < level)
		node->level = level;
	return 0;
}

void node_show(struct node *node, char *excerpt)
{
	struct finding *last = &node->findings[node->finding_count - 1];

	free(last->excerpt);
	last->excerpt = excerpt;
}

void node_count_self(struct node *node)
{
	if (node->ignored)
		node->ignored_objects++;
	else
		node->objects[node->level]++;
}

static void count(struct node *node, struct node *child)
{
	node_count_self(child);
	for (int i = 0; i <= LEVEL_DIFFERENT; i++)
		node->objects[i] += child->objects[i];
	node->ignored_objects += child->ignored_objects;
}

int node_add(struct node *node, struct node *child)
{
	struct node **children;

	count(node, child);
	if (child->level == LEVEL_BITS && !child->ignored && !child->finding_count) {
		node_free(child);
		return 0;
	}
	children = grown(node->children, node->child_count, sizeof(struct node *));
	if (!children) {
		node_free(child);
		return -1;
	}
	node->children = children;
	children[node->child_count++] = child;
	if (!child->ignored && node->level < child->level)
		node->level = child->level;
	return 0;
}

void node_count_equal(struct node *node, uint64_t equal)
{
	node->objects[LEVEL_BITS] += equal;
}
