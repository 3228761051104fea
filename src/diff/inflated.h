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

/* A taker that writes all to its context, a blob_writer. */
inflated_taker inflated_write;

#endif
