#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>

#include "base/cleanup.h"
#include "base/new_file.h"
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

int deb_deliver(const char *from, const char *to, const char *name, struct error *err)
{
	cleanup_close int in = open(from, O_RDONLY | O_CLOEXEC);
	struct new_file file = NEW_FILE_NONE;
	cleanup_free char *path = NULL;
	int failed;

	if (in < 0 || asprintf(&path, "%s/%s", to, name) < 0)
		return error_set(err, errno, "cannot write %s", name);
	failed = new_file_open(&file, "results", path, err);
	if (!failed && copy_bytes(in, file.fd))
		failed = error_set(err, errno, "cannot write %s", path);
	if (!failed)
		failed = new_file_finish(&file, err);
	new_file_release(&file);
	return failed;
}

int deb_deliver_all(const char *from, const char *to, struct error *err)
{
	cleanup_dir DIR *dir = opendir(from);
	struct dirent *entry;

	if (!dir)
		return error_set(err, errno, "cannot read %s", from);
	while ((entry = readdir(dir))) {
		cleanup_free char *path = NULL;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (asprintf(&path, "%s/%s", from, entry->d_name) < 0)
			return error_set(err, ENOMEM, "cannot write results");
		if (deb_deliver(path, to, entry->d_name, err))
			return -1;
	}
	return 0;
}
