#include "cli/fetches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/cache.h"

#define CLEAR	 "\r\033[K"
#define MEGABYTE 1e6
#define OFTEN_S	 0.1 /* between two looks of the progress line */

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

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void show_progress(const struct fetch *fetch, uint64_t done, uint64_t all)
{
	static const struct fetch none, *last = &none;
	static double started, shown;
	char size[32] = "";

	if (fetch != last) {
		last = fetch;
		started = shown = now();
	}
	if (now() - shown < OFTEN_S)
		return;
	shown = now();
	if (all)
		snprintf(size, sizeof(size), " of %.1f", (double)all / MEGABYTE);
	fprintf(stderr, CLEAR "fetching %.50s: %.1f%s MB, %.0f s", fetch->shown,
		(double)done / MEGABYTE, size, shown - started);
}

static int get_all(struct fetches *fetches, const struct fetch_options *options, struct error *err)
{
	for (size_t i = 0; i < fetches->count; i++) {
		char *path;

		if (fetch_get(&fetches->list[i], options, &path, err))
			return -1;
		fetches->files[i] = (struct box_file){ path, fetches->list[i].inside };
	}
	return 0;
}

int fetches_get(struct fetches *fetches, bool quiet, struct error *err)
{
	bool shows = !quiet && isatty(STDERR_FILENO);
	cleanup_free char *cache = NULL;
	struct fetch_options options = {
		.limit = fetches->limit ? fetches->limit : FETCH_LIMIT_DEFAULT,
		.progress = shows ? show_progress : NULL,
	};
	int failed;

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
	failed = get_all(fetches, &options, err);
	if (shows)
		fputs(CLEAR, stderr);
	return failed;
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
