/*
 * Compressed files: one payload, in one or several parts (members, streams, frames) one after the
 * other. A format says how one part is unpacked and what its header tells; here both files are
 * unpacked, their payloads become a child, and it is said whether only the compression differs.
 */
#ifndef STET_DIFF_PACKED_H
#define STET_DIFF_PACKED_H

#include "diff/compare.h"

/* Damage is for other formats; a failure (memory, a limit) comes with err. */
enum unpacked { UNPACKED, UNPACK_DAMAGED, UNPACK_FAILED };

/* Unpacks the part that starts the blob; `used` is what it has of it. */
typedef enum unpacked unpack_function(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err);

struct packing {
	const char *part; /* what it calls one: "member" */
	/* Does a part start here? */
	bool (*is)(const struct blob *blob);
	unpack_function *unpack;
	/* Of a part that could be unpacked: the size of its header, which is not compressed data. */
	uint64_t (*header_size)(const struct blob *blob);
	/* Says what two headers have in another way; `where` starts each line. -1 without memory. */
	int (*say_header)(struct node *node, const struct pair *pair, const char *where);
};

enum compared packed_compare(struct diff *diff, struct node *node, const struct pair *pair,
	const struct packing *packing, struct error *err);

#endif
