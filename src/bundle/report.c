#include "bundle/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the bundle tell that there is nothing of this name? Then it does so by the nearest directory
 * above of which it knows anything. */
static bool is_known_to_be_missing(const struct bundle_index *index, const char *path)
{
	char above[PATH_MAX];

	snprintf(above, sizeof(above), "%s", path);
	while (!index_is_missing(index, above)) {
		const struct bundle_file *file;
		char *slash = strrchr(above, '/');

		if (!slash || !above[1])
			return false;
		slash[slash == above] = '\0';
		file = index_find(index, above);
		if (file)
			return file->complete || file->type != BUNDLE_DIRECTORY;
	}
	return true;
}

/* What of it is not known, in a word; NULL: nothing. */
static const char *wanted(const struct bundle_index *index, const struct looked *looked)
{
	const struct bundle_file *file = index_find(index, looked->path);
	uint32_t kinds = looked->kinds & (LOOK_NAME | LOOK_READ | LOOK_LIST | LOOK_LABELS);

	if (!kinds || (!file && (looked->kinds & LOOK_MAKE) && !(kinds & ~LOOK_LIST)))
		return NULL; /* what is only made need not be known */
	if (!file)
		return is_known_to_be_missing(index, looked->path) ? NULL
		       : kinds & LOOK_READ			   ? "read"
								   : "looked up";
	if (file->type == BUNDLE_FILE && (kinds & LOOK_READ) && file->state != BUNDLE_READ &&
		file->state != BUNDLE_DENIED)
		return "read";
	if (file->type == BUNDLE_DIRECTORY && (kinds & LOOK_LIST) && !file->complete)
		return "listed";
	return file->state == BUNDLE_LISTED ? "looked up" : NULL;
}

int unknown_find(struct unknown *unknown, const struct bundle_index *index,
	const struct looks *looks, struct error *err)
{
	unknown->list = calloc(looks->count + 1, sizeof(*unknown->list));
	if (!unknown->list)
		return error_set(err, ENOMEM, "cannot say what is missing from the bundle");
	for (size_t i = 0; i < looks->count; i++) {
		const char *word = wanted(index, &looks->list[i]);

		if (!word)
			continue;
		unknown->list[unknown->count].wanted = word;
		unknown->list[unknown->count].path = strdup(looks->list[i].path);
		if (!unknown->list[unknown->count++].path)
			return error_set(err, ENOMEM, "cannot say what is missing from the bundle");
	}
	return 0;
}

void unknown_release(struct unknown *unknown)
{
	for (size_t i = 0; i < unknown->count; i++)
		free(unknown->list[i].path);
	free(unknown->list);
	*unknown = (struct unknown){ 0 };
}
