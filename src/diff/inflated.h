/* What zlib has packed, unpacked within the limits. */
#ifndef STET_DIFF_INFLATED_H
#define STET_DIFF_INFLATED_H

#include "diff/compare.h"

/*
 * Unpacks the zlib stream at the start of `packed` and gives the pieces to `take`, until it says
 * something other than COMPARED. NOT_THIS: damaged, or more follows `packed`. *used, if not NULL,
 * says how many bytes the stream has.
 */
typedef enum compared inflated_taker(
	void *context, const unsigned char *data, size_t bytes, struct error *err);
enum compared inflated_each(const struct blob *packed, inflated_taker *take, void *context,
	uint64_t *used, struct error *err);

/* The same into a blob, to be closed by blob_unpacked_close. */
enum compared inflated_blob(struct diff *diff, const struct blob *packed, struct blob *blob,
	const char *name, struct error *err);

#endif
