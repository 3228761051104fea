/* The headers of tars: v7, ustar, GNU's, and pax. All offsets that they give are within the tar. */
#ifndef STET_DIFF_TAR_ENTRY_H
#define STET_DIFF_TAR_ENTRY_H

#include "diff/entry_facts.h"
#include "diff/tar_pax.h"

#define TAR_BLOCK 512

struct tar_entry {
	uint64_t start;	 /* its first header */
	uint64_t header; /* the last, which is its own */
	uint64_t data;	 /* bytes, as they are stored */
	uint64_t stored; /* how many */
	uint64_t end;	 /* with padding: where the next starts */
	char type;	 /* of the header; 'g' is for all that follow */
	bool is_gnu;	 /* by its magic */
	struct blob pax; /* records before it, or nothing */
	struct span prefix, name, link;
};

enum tar_read { TAR_ENTRY, TAR_END, TAR_DAMAGED };
enum tar_read tar_entry_read(const struct blob *tar, uint64_t at, struct tar_entry *entry);

/* Is this block a header? */
bool tar_is_header(const struct blob *tar, uint64_t at);

/* A number as headers have them: octal, or binary. False when it is none, or too large. */
bool tar_number(const struct blob *tar, uint64_t at, unsigned size, int64_t *number);

/* What it says of the file. */
struct entry_facts tar_entry_facts(const struct blob *tar, const struct tar_entry *entry);

#endif
