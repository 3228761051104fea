/* The index of a bundle, from a stranger: what is taken for one is written again, and the same then. */
#include <stdlib.h>
#include <string.h>

#include "bundle/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const struct bundle_index *index)
{
	struct bundle_index again = { 0 };
	struct error err;
	char *first = index_write(index, false, &err), *second;

	if (!first || index_read(&again, first, strlen(first), "again", &err))
		abort();
	second = index_write(&again, false, &err);
	if (!second || strcmp(first, second) != 0)
		abort();
	free(first);
	free(second);
	index_release(&again);
}

/* What unpacking relies on. */
static void check(const struct bundle_index *index)
{
	for (size_t i = 0; i < index->file_count; i++) {
		const struct bundle_file *file = &index->files[i];

		if (file->path[0] != '/' || strstr(file->path, "/../") ||
			strstr(file->path, "//") || (file->same && !index_find(index, file->same)))
			abort();
	}
	if (!index->command[0] || index->workdir[0] != '/')
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle_index index = { 0 };
	struct error err = { 0 };

	if (index_read(&index, (const char *)data, size, "bundle", &err) == 0) {
		check(&index);
		write_again(&index);
	} else if (!err.text[0]) {
		abort(); /* an error without a message */
	}
	index_release(&index);
	return 0;
}
