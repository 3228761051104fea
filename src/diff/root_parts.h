/* What the parts of root_file have to do with each other; nobody else's business. */
#ifndef STET_DIFF_ROOT_PARTS_H
#define STET_DIFF_ROOT_PARTS_H

#include "diff/root_file.h"

/* A new record at the end; NULL with err without memory, or when there are `most` already. */
struct root_record *root_file_add(
	struct root_file *file, uint64_t at, uint64_t most, struct error *err);

/* Finds the directories, and says of all records which one they belong to. -1 with err. Adds
 * records that only directories know of. */
int root_directories_read(struct root_file *file, uint64_t most, struct error *err);

#endif
