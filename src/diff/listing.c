#include "diff/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One after the other, each with its NUL. */
static int read_names(DIR *directory, FILE *out, size_t *count, uint64_t most)
{
	const struct dirent *entry;

	while ((errno = 0, entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (++*count > most) {
			errno = E2BIG;
			return -1;
		}
		if (fwrite(entry->d_name, strlen(entry->d_name) + 1, 1, out) != 1)
			return -1;
	}
	return errno ? -1 : 0;
}

static int sort_names(struct listing *listing)
{
	char *name = listing->text;

	listing->names = calloc(listing->count + 1, sizeof(*listing->names));
	if (!listing->names)
		return -1;
	for (size_t i = 0; i < listing->count; i++) {
		listing->names[i] = name;
		name += strlen(name) + 1;
	}
	qsort(listing->names, listing->count, sizeof(*listing->names), by_name);
	return 0;
}

int listing_read(struct listing *listing, int directory, uint64_t most)
{
	int fd = fcntl(directory, F_DUPFD_CLOEXEC, 0), failed, saved;
	cleanup_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	size_t bytes;
	FILE *out;

	*listing = (struct listing){ 0 };
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	out = open_memstream(&listing->text, &bytes);
	if (!out)
		return -1;
	failed = read_names(dir, out, &listing->count, most);
	saved = errno;
	if (fclose(out))
		return -1;
	errno = saved;
	return failed ? -1 : sort_names(listing);
}

void listing_release(struct listing *listing)
{
	free(listing->names);
	free(listing->text);
	*listing = (struct listing){ 0 };
}
