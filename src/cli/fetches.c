#include "cli/fetches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/cache.h"
#include "cli/progress.h"

int fetches_add(struct fetches *fetches, const char *text, struct error *err)
{
	struct fetch *list = reallocarray(fetches->list, fetches->count + 1, sizeof(*list));
	const struct fetch *added;

	if (!list)
		return error_set(err, ENOMEM, "--fetch");
	fetches->list = list;
	added = &list[fetches->count];
	if (fetch_parse(text, &list[fetches->count++], err))
		return -1;
	for (const struct fetch *other = list; other < added; other++)
		if (strcmp(other->inside, added->inside) == 0)
			return error_set(
				err, 0, "--fetch: two files cannot both be at %s", added->inside);
	return 0;
}

static int get_one(struct fetches *fetches, size_t index, const struct fetch_options *options,
	struct error *err)
{
	const struct fetch *fetch = &fetches->list[index];
	cleanup_free char *what = NULL;
	char *path;
	int failed;

	if (asprintf(&what, "fetching %s", fetch->shown) < 0)
		what = NULL;
	progress_start(what);
	failed = fetch_get(fetch, options, &path, err);
	progress_end();
	if (!failed)
		fetches->files[index] = (struct box_file){ path, fetch->inside };
	return failed;
}

int fetches_get(struct fetches *fetches, bool quiet, struct error *err)
{
	cleanup_free char *cache = NULL;
	struct fetch_options options = {
		.limit = fetches->limit ? fetches->limit : FETCH_LIMIT_DEFAULT,
		.progress = quiet ? NULL : progress_show,
	};

	if (!fetches->count)
		return 0;
	options.cache = cache = cache_directory("fetch");
	if (!cache)
		return error_set(err, 0,
			"--fetch needs a cache: neither XDG_CACHE_HOME nor HOME names a place to "
			"write to");
	fetches->files = calloc(fetches->count, sizeof(*fetches->files));
	if (!fetches->files)
		return error_set(err, ENOMEM, "--fetch");
	for (size_t i = 0; i < fetches->count; i++)
		if (get_one(fetches, i, &options, err))
			return -1;
	return 0;
}

void fetches_release(struct fetches *fetches)
{
	for (size_t i = 0; i < fetches->count; i++) {
		if (fetches->files)
			free((char *)fetches->files[i].host);
		fetch_release(&fetches->list[i]);
	}
	free(fetches->list);
	free(fetches->files);
}
