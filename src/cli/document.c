#include "cli/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FORMAT (JSON_INDENT(2) | JSON_PRESERVE_ORDER)

static int write_file(const json_t *document, const char *name)
{
	FILE *file = fopen(name, "we");
	int failed;

	if (!file)
		return -1;
	failed = json_dumpf(document, file, FORMAT) || fputc('\n', file) == EOF;
	return fclose(file) || failed ? -1 : 0;
}

static int put(const json_t *document, const char *name)
{
	if (strcmp(name, "-") != 0)
		return write_file(document, name);
	return json_dumpf(document, stdout, FORMAT) || putchar('\n') == EOF ? -1 : 0;
}

int document_write(json_t *object, const char *kind, const char *file, struct error *err)
{
	json_t *document = json_pack("{s:s, s:s}", "stet", STET_VERSION, "kind", kind);
	int failed;

	if (!document || !object || json_object_update(document, object))
		failed = error_set(err, ENOMEM, "--json %s", file);
	else
		failed = put(document, file) ? error_set(err, errno, "--json %s", file) : 0;
	json_decref(document);
	json_decref(object);
	return failed;
}
