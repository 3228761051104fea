#include "cli/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FORMAT (JSON_INDENT(2) | JSON_PRESERVE_ORDER)

static bool is_output(const char *name)
{
	return strcmp(name, "-") == 0;
}

int document_open(struct new_file *file, const char *name, struct error *err)
{
	return name && !is_output(name) ? new_file_open(file, "--json", name, err) : 0;
}

static int put(const json_t *document, FILE *out)
{
	return json_dumpf(document, out, FORMAT) || putc('\n', out) == EOF ? -1 : 0;
}

static int put_into(const json_t *document, int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), failed;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	failed = put(document, out);
	return fclose(out) || failed ? -1 : 0;
}

static int put_and_finish(
	const json_t *document, struct new_file *file, const char *name, struct error *err)
{
	if (is_output(name) ? put(document, stdout) : put_into(document, file->fd))
		return error_set(err, errno, "--json: cannot write %s", name);
	return is_output(name) ? 0 : new_file_finish(file, err);
}

int document_finish(json_t *object, const char *kind, struct new_file *file, const char *name,
	struct error *err)
{
	json_t *document = json_pack("{s:s, s:s}", "stet", STET_VERSION, "kind", kind);
	int failed;

	if (!document || !object || json_object_update(document, object))
		failed = error_set(err, ENOMEM, "--json %s", name);
	else
		failed = put_and_finish(document, file, name, err);
	json_decref(document);
	json_decref(object);
	return failed;
}

int document_write(json_t *object, const char *kind, const char *name, struct error *err)
{
	struct new_file file = NEW_FILE_NONE;
	int failed = document_open(&file, name, err);

	if (failed)
		json_decref(object);
	else
		failed = document_finish(object, kind, &file, name, err);
	new_file_release(&file);
	return failed;
}
