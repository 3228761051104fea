#include "diff/class_attribute.h"

typedef unsigned long long number;

/*
 * How they are made: "c" a constant, "n" a number of two bytes, "*" a count of two bytes and so many
 * of what follows, "b" the same with one byte, "s" frames of a stack map.
 */
static const struct {
	const char *name, *parts;
} attributes[] = {
	{ "BootstrapMethods", "*c*c" },
	{ "ConstantValue", "c" },
	{ "EnclosingMethod", "cc" },
	{ "Exceptions", "*c" },
	{ "InnerClasses", "*cccn" },
	{ "LineNumberTable", "*nn" },
	{ "LocalVariableTable", "*nnccn" },
	{ "LocalVariableTypeTable", "*nnccn" },
	{ "MethodParameters", "bcn" },
	{ "NestHost", "c" },
	{ "NestMembers", "*c" },
	{ "PermittedSubclasses", "*c" },
	{ "Signature", "c" },
	{ "SourceFile", "c" },
	{ "StackMapTable", "*s" },
};
#define ATTRIBUTES (sizeof(attributes) / sizeof(attributes[0]))

/* Kinds of frames of a stack map, as the first byte tells them (JVMS 4.7.4). */
enum frame {
	FRAME_SAME_ONE = 64, /* one more on the stack */
	FRAME_RESERVED = 128,
	FRAME_SAME_ONE_FAR = 247, /* with an offset of two bytes, as all from here */
	FRAME_SAME_FAR = 251,	  /* below: less by 1 to 3 */
	FRAME_FULL = 255,
};
#define TYPE_OBJECT	   7 /* a class follows */
#define TYPE_UNINITIALIZED 8 /* an offset */

static void put_type(const struct class_pool *pool, FILE *out, struct class_cursor *at)
{
	uint64_t type = class_take(at, 1);

	fprintf(out, " %llu", (number)type);
	if (type == TYPE_OBJECT) {
		fputc(' ', out);
		class_pool_put(pool, out, class_take(at, 2));
	} else if (type == TYPE_UNINITIALIZED) {
		fprintf(out, " %llu", (number)class_take(at, 2));
	} else if (type > TYPE_UNINITIALIZED) {
		at->bad = true;
	}
}

static void put_types(
	const struct class_pool *pool, FILE *out, struct class_cursor *at, uint64_t count)
{
	for (uint64_t i = 0; i < count && !at->bad; i++)
		put_type(pool, out, at);
}

static void put_frame(const struct class_pool *pool, FILE *out, struct class_cursor *at)
{
	uint64_t kind = class_take(at, 1);

	fprintf(out, " frame %llu", (number)kind);
	if (kind >= FRAME_RESERVED && kind < FRAME_SAME_ONE_FAR)
		at->bad = true;
	if (kind >= FRAME_SAME_ONE_FAR)
		fprintf(out, " %llu", (number)class_take(at, 2));
	if (kind == FRAME_SAME_ONE_FAR || (kind >= FRAME_SAME_ONE && kind < FRAME_RESERVED)) {
		put_type(pool, out, at);
	} else if (kind > FRAME_SAME_FAR && kind < FRAME_FULL) {
		put_types(pool, out, at, kind - FRAME_SAME_FAR);
	} else if (kind == FRAME_FULL) {
		put_types(pool, out, at, class_take(at, 2));
		fputs(" stack", out);
		put_types(pool, out, at, class_take(at, 2));
	}
}

static void put_parts(
	const struct class_pool *pool, FILE *out, struct class_cursor *at, const char *parts)
{
	for (; *parts && !at->bad; parts++) {
		if (*parts == '*' || *parts == 'b') {
			uint64_t count = class_take(at, *parts == 'b' ? 1 : 2);

			for (uint64_t i = 0; i < count && !at->bad; i++)
				put_parts(pool, out, at, parts + 1);
			return;
		}
		if (*parts == 's') {
			put_frame(pool, out, at);
		} else if (*parts == 'n') {
			fprintf(out, " %llu", (number)class_take(at, 2));
		} else {
			fputc(' ', out);
			class_pool_put(pool, out, class_take(at, 2));
		}
		if (!parts[1])
			fputc('\n', out);
	}
}

static void put_bytes(FILE *out, struct class_cursor *at)
{
	for (unsigned i = 0; at->at < at->end; i++)
		fprintf(out, "%s%02llx", i % 16 ? " " : "\n\t", (number)class_take(at, 1));
	fputc('\n', out);
}

void class_attribute_put(
	const struct class_pool *pool, FILE *out, uint64_t name, struct class_cursor *attribute)
{
	for (size_t i = 0; i < ATTRIBUTES; i++)
		if (class_pool_is(pool, name, attributes[i].name)) {
			put_parts(pool, out, attribute, attributes[i].parts);
			attribute->bad |= attribute->at != attribute->end;
			return;
		}
	put_bytes(out, attribute);
}
