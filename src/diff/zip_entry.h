/* The central directory of zip archives, with zip64. All offsets that it gives are checked. */
#ifndef STET_DIFF_ZIP_ENTRY_H
#define STET_DIFF_ZIP_ENTRY_H

#include "diff/span.h"

/* The end of the central directory, from where readers start. */
struct zip_end {
	uint64_t directory, directory_end;
	uint64_t before; /* bytes before the archive: offsets do not count them */
	uint64_t end;	 /* of all, with the comment */
	struct span comment;
};
bool zip_end_find(const struct blob *zip, struct zip_end *end);

struct zip_entry {
	unsigned made_by, needs, flags, method, internal;
	uint32_t time, crc, external; /* the time as DOS has it */
	uint64_t packed, size;
	struct span name, comment;
	struct blob extra, local_extra;
	uint64_t local, data; /* where its own header is, and its bytes */
	uint64_t next;	      /* where the next is in the directory */
};
/* The entry at this place of the directory; false when it is damaged, encrypted, or elsewhere. */
bool zip_entry_read(
	const struct blob *zip, const struct zip_end *end, uint64_t at, struct zip_entry *entry);

/* The next extra field; false behind the last. */
struct zip_extra {
	unsigned id;
	struct blob data;
};
bool zip_extra_next(const struct blob *extra, uint64_t *at, struct zip_extra *field);

#endif
