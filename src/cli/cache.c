#include "cli/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes each directory of `path` that is missing. */
static int make_path(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -1;
	}
	return mkdir(path, 0755) && errno != EEXIST ? -1 : 0;
}

char *cache_directory(const char *part)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;
	int n = -1;

	if (base && base[0] == '/')
		n = asprintf(&path, "%s/stet/%s", base, part);
	else if (home && home[0] == '/')
		n = asprintf(&path, "%s/.cache/stet/%s", home, part);
	if (n < 0)
		return NULL;
	if (make_path(path) == 0 && access(path, W_OK) == 0)
		return path;
	free(path);
	return NULL;
}
