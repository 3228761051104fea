/* Attributes of Java classes, fields, methods and code as text. */
#ifndef STET_DIFF_CLASS_ATTRIBUTE_H
#define STET_DIFF_CLASS_ATTRIBUTE_H

#include "diff/class_pool.h"

/* The bytes of one whose name is a constant; those of no known name as they are. */
void class_attribute_put(
	const struct class_pool *pool, FILE *out, uint64_t name, struct class_cursor *attribute);

#endif
