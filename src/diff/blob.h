/*
 * Bytes to be compared: a file, or what was unpacked from one. They are always mapped, so that
 * formats can look at them as memory; a file that shrinks meanwhile is an error of the whole
 * comparison (guard.h).
 */
#ifndef STET_DIFF_BLOB_H
#define STET_DIFF_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct blob {
	const unsigned char *data;
	uint64_t size;
	const char *name; /* its last name, for formats that are known by it; not owned */
	void *mapping;	  /* to be unmapped, or NULL */
	uint64_t mapped;
};

/* Maps a regular file, which may be closed then. */
int blob_map(struct blob *blob, int fd, const char *name, struct error *err);
/* A part of another one, good as long as that. */
struct blob blob_part(const struct blob *of, uint64_t offset, uint64_t size, const char *name);
void blob_close(struct blob *blob);

/* What all unpacked bytes that are held at a time may have together. */
struct budget {
	uint64_t left;
	uint64_t most, all; /* of one file and all that is in it, and what it was so far; 0: any */
	bool exceeded;	    /* something did not fit: it is compared as it is, see compare_pair */
};

/* Bytes that are still to come: small ones in memory, large ones in a file without a name. */
struct blob_writer {
	unsigned char *data;
	uint64_t size, room;
	int fd; /* -1: in memory */
	struct budget *budget;
};
void blob_write_start(struct blob_writer *writer, struct budget *budget);
/* Fails when nothing is left, or the disk is full. */
int blob_write(struct blob_writer *writer, const void *data, size_t bytes, struct error *err);
/* Makes a blob of what was written; the bytes count for the budget until blob_unpacked_close. */
int blob_write_finish(
	struct blob_writer *writer, struct blob *blob, const char *name, struct error *err);
void blob_write_cancel(struct blob_writer *writer);
void blob_unpacked_close(struct blob *blob, struct budget *budget);

/* A file without a name for such bytes; -1 with errno. */
int blob_scratch_file(void);

bool blob_equal(const struct blob *a, const struct blob *b);

/* Big- and little-endian numbers; 0 beyond the end. */
uint64_t blob_be(const struct blob *blob, uint64_t at, unsigned bytes);
uint64_t blob_le(const struct blob *blob, uint64_t at, unsigned bytes);
bool blob_has(const struct blob *blob, uint64_t at, const void *bytes, size_t count);

#endif
