#include "image/oci_digest.h"

#include <stdio.h>
#include <string.h>

static const char sha256_prefix[] = "sha256:", sha512_prefix[] = "sha512:";

static bool is_wide(const struct oci_digest *digest)
{
	return strncmp(digest->text, sha512_prefix, sizeof(sha512_prefix) - 1) == 0;
}

/* Lower case only: a digest has one spelling, and names a file. */
static bool has_form(const char *text, const char *prefix, size_t digits)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) == 0 && strlen(text + length) == digits &&
	       strspn(text + length, "0123456789abcdef") == digits;
}

bool oci_digest_read(struct oci_digest *digest, const char *text)
{
	if (!has_form(text, sha256_prefix, 2ul * SHA256_DIGEST_LENGTH) &&
		!has_form(text, sha512_prefix, 2ul * SHA512_DIGEST_LENGTH))
		return false;
	memcpy(digest->text, text, strlen(text) + 1);
	return true;
}

void oci_digest_path(const struct oci_digest *digest, char path[OCI_BLOB_PATH])
{
	snprintf(path, OCI_BLOB_PATH, "blobs/%s", digest->text);
	*strchr(path, ':') = '/';
}

void oci_check_start(struct oci_check *check, const struct oci_digest *expected)
{
	check->expected = *expected;
	check->bytes = 0;
	if (is_wide(expected))
		SHA512_Init(&check->state.sha512);
	else
		SHA256_Init(&check->state.sha256);
}

void oci_check_add(struct oci_check *check, const void *data, size_t bytes)
{
	check->bytes += bytes;
	if (is_wide(&check->expected))
		SHA512_Update(&check->state.sha512, data, bytes);
	else
		SHA256_Update(&check->state.sha256, data, bytes);
}

bool oci_check_matches(struct oci_check *check)
{
	unsigned char digest[SHA512_DIGEST_LENGTH];
	char text[2 * SHA512_DIGEST_LENGTH + 1];
	size_t bytes = SHA256_DIGEST_LENGTH;

	if (is_wide(&check->expected)) {
		SHA512_Final(digest, &check->state.sha512);
		bytes = SHA512_DIGEST_LENGTH;
	} else {
		SHA256_Final(digest, &check->state.sha256);
	}
	for (size_t i = 0; i < bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return strcmp(text, strchr(check->expected.text, ':') + 1) == 0;
}
