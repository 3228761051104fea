/* What a comparison found: a tree of objects, each with its level and with what was found in it. */
#ifndef STET_DIFF_NODE_H
#define STET_DIFF_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the best: all bytes; the same payload with other bookkeeping (times, padding, order); the
 * same shape with other payload; not even that. */
enum level { LEVEL_BITS, LEVEL_CONTENT, LEVEL_STRUCTURE, LEVEL_DIFFERENT };

/* "BITWISE-EQUAL" and so on. */
const char *level_name(enum level level);

/* One thing that differs. */
struct finding {
	char *what;	   /* in words, one line */
	const char *cause; /* the likely one, of cause.h, or NULL */
	char *excerpt;	   /* lines that show it, or NULL */
	enum level level;  /* what it makes of the object */
};

struct node {
	char *name;	    /* within its parent: a name, a member, a section */
	const char *format; /* "tar", "ELF": a constant */
	enum level level;   /* the lowest of its findings and of all below */
	bool ignored;	    /* by an option or the format: counts for nothing */
	struct finding *findings;
	size_t finding_count;
	struct node **children; /* those that were worth a node: equal ones are only counted */
	size_t child_count;
	/* How many were compared at all, of each level; itself too, once it is complete. */
	uint64_t objects[LEVEL_DIFFERENT + 1];
	uint64_t ignored_objects;
};

/* NULL for want of memory, here and below: formats pass that on, and the whole fails. */
struct node *node_new(const char *name, const char *format);
void node_free(struct node *node);
/* As it was when it was new: what was found is forgotten. */
void node_clear(struct node *node);

/* Says what differs, and of which level the object is at best for it. 0, or -1 without memory. */
int node_say(struct node *node, enum level level, const char *cause, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Lines that show what was said last. Takes the text. */
void node_show(struct node *node, char *excerpt);

/* The comparison of the child is complete: it is added below `node`, or only counted when it is
 * equal. Takes the child. */
int node_add(struct node *node, struct node *child);
/* The same for the root of all, which is nobody's child. */
void node_count_self(struct node *node);
/* So many equal objects below, without nodes of their own. */
void node_count_equal(struct node *node, uint64_t equal);

#endif
