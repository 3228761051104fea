#include "cli/page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

static bool is_output(const char *name)
{
	return strcmp(name, "-") == 0;
}

int page_open(struct new_file *file, const char *name, struct error *err)
{
	return name && !is_output(name) ? new_file_open(file, "--html", name, err) : 0;
}

int page_write(struct new_file *file, const char *name, const struct node *root,
	const struct report *report, struct error *err)
{
	cleanup_file FILE *out = NULL;
	int copy;

	if (!name)
		return 0;
	if (is_output(name))
		return report_html(root, report, stdout, err);
	copy = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	out = copy < 0 ? NULL : fdopen(copy, "w");
	if (!out) {
		error_set(err, errno, "--html: cannot write %s", name);
		if (copy >= 0)
			close(copy);
		return -1;
	}
	return report_html(root, report, out, err) || new_file_finish(file, err) ? -1 : 0;
}
