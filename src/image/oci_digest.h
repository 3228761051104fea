/* Digests of OCI descriptors, "sha256:HEX" or "sha512:HEX", and content that is held against them. */
#ifndef STET_IMAGE_OCI_DIGEST_H
#define STET_IMAGE_OCI_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

#define OCI_DIGEST_TEXT (sizeof("sha512:") + 2 * SHA512_DIGEST_LENGTH)

struct oci_digest {
	char text[OCI_DIGEST_TEXT]; /* as descriptors have it: sha256:HEX */
};

#define OCI_BLOB_PATH (sizeof("blobs/") + OCI_DIGEST_TEXT)

/* False for what is no digest, and for other algorithms than these two. */
bool oci_digest_read(struct oci_digest *digest, const char *text);
/* Where its blob lies in a layout. */
void oci_digest_path(const struct oci_digest *digest, char path[OCI_BLOB_PATH]);

/* Content that goes by. */
struct oci_check {
	struct oci_digest expected;
	uint64_t bytes;
	union {
		SHA256_CTX sha256;
		SHA512_CTX sha512;
	} state;
};

void oci_check_start(struct oci_check *check, const struct oci_digest *expected);
void oci_check_add(struct oci_check *check, const void *data, size_t bytes);
/* At the end, once. */
bool oci_check_matches(struct oci_check *check);

#endif
