/*
 * The JSON documents of an OCI layout: read whole, up to a limit, and members taken by name and
 * type. Messages name the image, the document and the member.
 */
#ifndef STET_IMAGE_OCI_JSON_H
#define STET_IMAGE_OCI_JSON_H

#include <jansson.h>

#include "image/oci_digest.h"

#define OCI_DOCUMENT_MAX (4u << 20) /* as registries have it */
/* All that is read to find one image, so that indexes that refer to each other come to an end. */
#define OCI_DOCUMENTS_MAX 1000
#define OCI_READ_MAX	  (32u << 20)

/* A layout that documents are read from. */
struct oci_source {
	int dir;
	const char *name;	/* for messages */
	unsigned int documents; /* so far */
	uint64_t bytes;		/* so far */
};

struct oci_document {
	const char *image;
	char place[32 + OCI_DIGEST_TEXT]; /* index.json, or which blob */
	json_t *json;			  /* an object */
};

/* Opens a plain file of the layout, whatever else lies at its place; `size` is what it has. */
int oci_file_open(int dir, const char *path, uint64_t *size, struct error *err);
/* Opens a blob; one that has another size than announced is an error. */
int oci_blob_open(int dir, const char *name, const struct oci_digest *digest, uint64_t size,
	struct error *err);

/* Reads the file at `path`; or a blob, which must have this size and digest. `sha256`, when not
 * NULL, is set to that of its bytes. */
int oci_document_file(struct oci_source *source, const char *path, struct oci_document *document,
	struct error *err);
int oci_document_blob(struct oci_source *source, const struct oci_digest *digest, uint64_t size,
	char *sha256, struct oci_document *document, struct error *err);
/* Takes the text of a document; image and place are set. */
int oci_document_parse(
	struct oci_document *document, const char *text, size_t bytes, struct error *err);
void oci_document_release(struct oci_document *document);

/* A member of an object, which null counts as the lack of; an optional one that is missing is NULL
 * and no error. */
enum oci_need { OCI_REQUIRED, OCI_OPTIONAL };
int oci_member(const struct oci_document *document, const json_t *object, const char *key,
	json_type type, enum oci_need need, json_t **member, struct error *err);
int oci_string(const struct oci_document *document, const json_t *object, const char *key,
	enum oci_need need, const char **string, struct error *err);
/* A list of strings, copied, NULL-terminated; NULL when it is missing or empty. */
int oci_strings(const struct oci_document *document, const json_t *object, const char *key,
	char ***strings, struct error *err);
void oci_strings_release(char **strings);
/* The digest in a string. */
int oci_take_digest(const struct oci_document *document, const json_t *string,
	struct oci_digest *digest, struct error *err);

/* Fails with a message about the document. */
int oci_wrong(const struct oci_document *document, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
