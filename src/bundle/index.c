#include "bundle/index.h"

#include <stdlib.h>
#include <string.h>

const char *const bundle_types[5] = { "file", "directory", "link", "fifo", "socket" };
const char *const bundle_states[4] = { "read", "looked", "listed", "denied" };

static void release_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static void release_file(struct bundle_file *file)
{
	free(file->path);
	free(file->target);
	free(file->same);
	for (size_t i = 0; i < file->label_count; i++) {
		free(file->labels[i].name);
		free(file->labels[i].value);
	}
	free(file->labels);
}

void index_release(struct bundle_index *index)
{
	release_list(index->command);
	release_list(index->environment);
	release_list(index->plain);
	release_list(index->missing);
	free(index->workdir);
	json_decref(index->options);
	for (size_t i = 0; i < index->mount_count; i++) {
		free(index->mounts[i].place);
		free(index->mounts[i].mode);
	}
	free(index->mounts);
	for (size_t i = 0; i < index->file_count; i++)
		release_file(&index->files[i]);
	free(index->files);
	*index = (struct bundle_index){ 0 };
}

static int compare_file(const void *path, const void *file)
{
	return strcmp(path, ((const struct bundle_file *)file)->path);
}

const struct bundle_file *index_find(const struct bundle_index *index, const char *path)
{
	return index->file_count ? bsearch(path, index->files, index->file_count,
					   sizeof(*index->files), compare_file)
				 : NULL;
}

static int compare_text(const void *path, const void *item)
{
	return strcmp(path, *(char *const *)item);
}

bool index_is_missing(const struct bundle_index *index, const char *path)
{
	return index->missing_count && bsearch(path, index->missing, index->missing_count,
					       sizeof(*index->missing), compare_text);
}

int index_mount_of(const struct bundle_index *index, const char *path)
{
	size_t longest = 0;
	int found = -1;

	for (size_t i = 0; i < index->mount_count; i++) {
		size_t length = strlen(index->mounts[i].place);

		if (length >= longest && strncmp(index->mounts[i].place, path, length) == 0 &&
			(!path[length] || path[length] == '/')) {
			longest = length;
			found = (int)i;
		}
	}
	return found;
}

char **index_copy_list(char *const *list)
{
	size_t count = 0;
	char **copy;

	while (list[count])
		count++;
	copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = strdup(list[i]);
		if (!copy[i]) {
			release_list(copy);
			return NULL;
		}
	}
	return copy;
}
