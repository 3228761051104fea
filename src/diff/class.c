#include "diff/class.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/class_attribute.h"
#include "diff/class_code.h"
#include "diff/listed.h"

typedef unsigned long long number;

#define MAGIC	      0xcafebabeu /* that of fat Mach-O files, too */
#define VERSION_LEAST 45	  /* these have a small number of parts there */
#define VERSION_MOST  200

bool class_is(const struct blob *blob)
{
	uint64_t version = blob_be(blob, 6, 2);

	return blob->size <= UINT32_MAX && blob_be(blob, 0, 4) == MAGIC &&
	       version >= VERSION_LEAST && version <= VERSION_MOST;
}

struct class
{
	struct diff *diff;
	struct members *members;
	struct listed_texts texts;
	struct class_pool pool;
	struct class_cursor cursor;
};

/* A text that is a part of its own: "method run:()V > Code". */
static enum compared add_text(struct class *class, const char *owner, const char *name,
	const char *text, size_t size, struct error *err)
{
	cleanup_free char *whole = NULL;

	if (asprintf(&whole, "%s%s%s", owner, *owner ? " " : "", name) < 0 ||
		!listed_texts_add(&class->texts, whole, err) ||
		blob_write(&class->texts.writer, text, size, err))
		return COMPARE_FAILED;
	return COMPARED;
}

typedef void put_function(
	const struct class_pool *pool, FILE *out, uint64_t name, struct class_cursor *part);

static enum compared add_part(struct class *class, const char *owner, uint64_t name,
	struct class_cursor *part, put_function *put, struct error *err)
{
	cleanup_free char *text = NULL, *title = class_pool_text(&class->pool, name);
	size_t size = 0;
	FILE *out = title ? open_memstream(&text, &size) : NULL;

	if (!out)
		return COMPARE_FAILED;
	put(&class->pool, out, name, part);
	if (fclose(out))
		return COMPARE_FAILED;
	return part->bad ? NOT_THIS : add_text(class, owner, title, text, size, err);
}

static enum compared add_attributes(
	struct class *class, const char *owner, struct class_cursor *cursor, struct error *err);

static void put_handlers(const struct class_pool *pool, FILE *out, struct class_cursor *cursor)
{
	uint64_t count = class_take(cursor, 2);

	for (uint64_t i = 0; i < count && !cursor->bad; i++) {
		for (int k = 0; k < 3; k++)
			fprintf(out, " %llu", (number)class_take(cursor, 2));
		fputs(" handles ", out);
		class_pool_put(pool, out, class_take(cursor, 2));
		fputc('\n', out);
	}
}

/* The cursor is left at the attributes that code has of its own. */
static void put_code(
	const struct class_pool *pool, FILE *out, uint64_t name, struct class_cursor *part)
{
	uint64_t stack = class_take(part, 2), locals = class_take(part, 2);
	uint64_t size = class_take(part, 4);
	struct class_cursor code = class_take_part(part, size);

	(void)name;
	fprintf(out, "stack %llu, locals %llu\n", (number)stack, (number)locals);
	class_code_put(pool, out, &code);
	part->bad |= code.bad;
	put_handlers(pool, out, part);
}

static enum compared add_attribute(
	struct class *class, const char *owner, struct class_cursor *cursor, struct error *err)
{
	uint64_t name = class_take(cursor, 2), size = class_take(cursor, 4);
	struct class_cursor part = class_take_part(cursor, size);
	enum compared done;

	if (part.bad)
		return NOT_THIS;
	/* Only methods have code: code that has code would go on without end. */
	if (!class_pool_is(&class->pool, name, "Code") || owner[0] != 'm')
		return add_part(class, owner, name, &part, class_attribute_put, err);
	done = add_part(class, owner, name, &part, put_code, err);
	if (done == COMPARED) {
		cleanup_free char *inner = NULL;

		if (asprintf(&inner, "code of %s", owner) < 0)
			return COMPARE_FAILED;
		done = add_attributes(class, inner, &part, err);
	}
	return done;
}

static enum compared add_attributes(
	struct class *class, const char *owner, struct class_cursor *cursor, struct error *err)
{
	uint64_t count = class_take(cursor, 2);
	enum compared done = cursor->bad ? NOT_THIS : COMPARED;

	for (uint64_t i = 0; i < count && done == COMPARED; i++)
		done = add_attribute(class, owner, cursor, err);
	return done;
}

/* A field or method. */
static enum compared add_one(struct class *class, const char *kind, struct error *err)
{
	struct class_cursor *cursor = &class->cursor;
	uint64_t flags = class_take(cursor, 2);
	cleanup_free char *name = class_pool_text(&class->pool, class_take(cursor, 2));
	cleanup_free char *type = class_pool_text(&class->pool, class_take(cursor, 2));
	cleanup_free char *title = NULL;
	struct member *member;

	if (cursor->bad)
		return NOT_THIS;
	if (!name || !type || asprintf(&title, "%s %s:%s", kind, name, type) < 0)
		return COMPARE_FAILED;
	member = members_add(class->members, class->diff, title, err);
	if (!member ||
		member_fact(member, "flags", LEVEL_STRUCTURE, NULL, "0x%04llx", (number)flags))
		return COMPARE_FAILED;
	return add_attributes(class, title, cursor, err);
}

static enum compared add_all(struct class *class, const char *kind, struct error *err)
{
	uint64_t count = class_take(&class->cursor, 2);
	enum compared done = class->cursor.bad ? NOT_THIS : COMPARED;

	for (uint64_t i = 0; i < count && done == COMPARED; i++)
		done = add_one(class, kind, err);
	return done;
}

static int put_interfaces(struct class *class, char **text)
{
	size_t size = 0;
	FILE *out = open_memstream(text, &size);
	uint64_t count = class_take(&class->cursor, 2);

	if (!out)
		return -1;
	for (uint64_t i = 0; i < count && !class->cursor.bad; i++) {
		fputs(i ? " " : "", out);
		class_pool_put(&class->pool, out, class_take(&class->cursor, 2));
	}
	return fclose(out) ? -1 : 0;
}

static enum compared add_head(struct class *class, uint64_t version, struct error *err)
{
	struct class_cursor *cursor = &class->cursor;
	uint64_t flags = class_take(cursor, 2);
	cleanup_free char *name = class_pool_text(&class->pool, class_take(cursor, 2));
	cleanup_free char *above = class_pool_text(&class->pool, class_take(cursor, 2));
	cleanup_free char *interfaces = NULL;
	struct member *head = members_add(class->members, class->diff, "class", err);

	if (!head || !name || !above || put_interfaces(class, &interfaces))
		return COMPARE_FAILED;
	if (member_fact(head, "version", LEVEL_STRUCTURE, CAUSE_VERSION, "%llu.%llu",
		    (number)version & 0xffff, (number)version >> 16) ||
		member_fact(head, "constants", LEVEL_CONTENT, NULL, "%u", class->pool.count) ||
		member_fact(head, "flags", LEVEL_STRUCTURE, NULL, "0x%04llx", (number)flags) ||
		member_fact(head, "name", LEVEL_DIFFERENT, NULL, "%s", name) ||
		member_fact(head, "superclass", LEVEL_DIFFERENT, NULL, "%s", above) ||
		member_fact(head, "interfaces", LEVEL_DIFFERENT, NULL, "%s", interfaces))
		return COMPARE_FAILED;
	return cursor->bad ? NOT_THIS : COMPARED;
}

static enum compared add_parts(struct class *class, struct error *err)
{
	uint64_t version;
	enum compared done;

	class_take(&class->cursor, 4);
	version = class_take(&class->cursor, 4);
	if (class_pool_read(&class->pool, &class->cursor))
		return COMPARE_FAILED;
	done = class->cursor.bad ? NOT_THIS : add_head(class, version, err);
	if (done == COMPARED)
		done = add_all(class, "field", err);
	if (done == COMPARED)
		done = add_all(class, "method", err);
	if (done == COMPARED)
		done = add_attributes(class, "", &class->cursor, err);
	return done == COMPARED && class->cursor.at != class->cursor.end ? NOT_THIS : done;
}

static enum compared list_class(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct class class = { .diff = diff, .members = members };
	enum compared done;

	class.cursor = (struct class_cursor){ .blob = blob, .end = blob->size };
	listed_texts_start(&class.texts, diff, members);
	done = listed_texts_end(&class.texts, add_parts(&class, err), err);
	class_pool_release(&class.pool);
	return done;
}

enum compared class_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same class: only constants have another order, or are of no use", CAUSE_ORDER
	};

	return listed_compare(diff, node, pair, list_class, &remainder, err);
}
