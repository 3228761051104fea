#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "cli/deb.h"

#define CHUNK (1 << 24)

static int copy_bytes(int from, int to)
{
	ssize_t n;

	do
		n = sendfile(to, from, NULL, CHUNK);
	while (n > 0);
	return n < 0 ? -1 : 0;
}

static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Under another name at first, so that there is never half a file. */
int deb_deliver(const struct deb *deb, const char *from, const char *name, struct error *err)
{
	cleanup_close int in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
	cleanup_free char *new = NULL, *path = NULL;

	if (asprintf(&new, "%s/.%s.XXXXXX", deb->options.output, name) < 0 ||
		asprintf(&path, "%s/%s", deb->options.output, name) < 0)
		return error_set(err, ENOMEM, "cannot write %s", name);
	out = in < 0 ? -1 : mkostemp(new, O_CLOEXEC);
	if (out < 0)
		return error_set(err, errno, "cannot write %s", path);
	if (copy_bytes(in, out) == 0 && fchmod(out, usual_mode()) == 0 && rename(new, path) == 0)
		return 0;
	error_set(err, errno, "cannot write %s", path);
	unlink(new);
	return -1;
}

int deb_deliver_all(const struct deb *deb, const char *directory, struct error *err)
{
	cleanup_dir DIR *dir = opendir(directory);
	struct dirent *entry;

	if (!dir)
		return error_set(err, errno, "cannot read %s", directory);
	while ((entry = readdir(dir))) {
		cleanup_free char *path = NULL;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
			return error_set(err, ENOMEM, "cannot write results");
		if (deb_deliver(deb, path, entry->d_name, err))
			return -1;
	}
	return 0;
}
