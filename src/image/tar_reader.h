/*
 * Reads a file for libarchive, and hashes all of its bytes on the way: a thread of its own does that
 * ahead, so that unpacking takes no longer for it.
 */
#ifndef STET_IMAGE_TAR_READER_H
#define STET_IMAGE_TAR_READER_H

#include "base/error.h"
#include "base/hash.h"

struct archive;
struct tar_reader;

/* From the file's start. `name` is for messages; `progress` is told the bytes of the file, or NULL. */
struct tar_reader *tar_reader_open(int file, const char *name,
	void (*progress)(uint64_t done, uint64_t all), struct error *err);
/* Opens an archive of libarchive's on it. */
int tar_reader_give(struct tar_reader *reader, struct archive *archive, struct error *err);
/* Reads what nobody wanted, and answers the digest of all. */
int tar_reader_finish(struct tar_reader *reader, char digest[HASH_TEXT], struct error *err);
void tar_reader_close(struct tar_reader *reader);

#endif
