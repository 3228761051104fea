/*
 * Payloads of a ROOT file's records: as they are, or packed in blocks, each with its own method
 * (zlib, xz, LZ4, Zstandard, old deflate).
 */
#ifndef STET_DIFF_ROOT_PAYLOAD_H
#define STET_DIFF_ROOT_PAYLOAD_H

#include "diff/blob.h"

struct root_payload {
	struct blob blob;
	bool unpacked; /* the blob is its own, else a part of the file */
};

/* Unpacks to exactly `bytes`. Damaged: PAYLOAD_DAMAGED. No memory, or more than the budget has:
 * PAYLOAD_FAILED with err. Only what is PAYLOAD_READ is to be closed. */
enum root_unpacked { PAYLOAD_READ, PAYLOAD_DAMAGED, PAYLOAD_FAILED };
enum root_unpacked root_payload_open(struct root_payload *payload, const struct blob *packed,
	uint32_t bytes, struct budget *budget, struct error *err);
void root_payload_close(struct root_payload *payload, struct budget *budget);

#endif
