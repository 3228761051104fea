/*
 * The tar in a layer's blob. A thread reads, uncompresses and hashes it, both as it lies there and
 * uncompressed, while the caller makes files of what it has: like `gzip -d | tar x`, it takes about
 * as long as the slower half.
 */
#ifndef STET_IMAGE_OCI_STREAM_H
#define STET_IMAGE_OCI_STREAM_H

#include <sys/types.h>

#include "image/oci.h"

struct oci_stream;

/* Of an open blob, at its start; the file stays the caller's. NULL on errors. */
struct oci_stream *oci_stream_open(int blob, const struct oci_layer *layer, struct error *err);
/* The next part of the tar, valid until the next call: 0 bytes at the end, negative on errors. */
ssize_t oci_stream_next(struct oci_stream *stream, const void **data, struct error *err);
/* Bytes of the blob that were read so far. */
uint64_t oci_stream_position(struct oci_stream *stream);
/* Reads what is left, and says whether all of it has the digests that it should have. */
int oci_stream_finish(struct oci_stream *stream, struct error *err);
/* For who could not make sense of it: is it because the blob is not what it should be? Reads what is
 * left of the blob; oci_stream_finish must not be called then. */
int oci_stream_blame(struct oci_stream *stream, struct error *err);
void oci_stream_close(struct oci_stream *stream);

#endif
