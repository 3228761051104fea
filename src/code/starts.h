/*
 * Where functions begin, as far as the file itself says so: call frame information (.eh_frame),
 * symbols, Go's table of functions, the entry point. A file which says little (static, stripped) is
 * swept for direct calls, whose targets are starts too. Between two starts lies a region.
 */
#ifndef STET_CODE_STARTS_H
#define STET_CODE_STARTS_H

#include "code/elf_file.h"

struct start {
	uint64_t address;
	bool framed; /* an unwinder finds call frame information for it */
};

struct starts {
	struct start *items; /* ascending, each address once, all inside the text segment */
	size_t count, room;
};

/* -1 when memory runs out. */
int starts_collect(struct starts *starts, const struct elf_file *file);
void starts_free(struct starts *starts);

/* Adds one, unsorted; addresses outside of the text segment are ignored. */
int starts_add(struct starts *starts, const struct elf_file *file, uint64_t address, bool framed);

/* Index of the last start at or before an address; `count` when there is none. */
size_t starts_find(const struct starts *starts, uint64_t address);

#endif
