#include "base/file_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"

#define CHUNK	      (1 << 18)
#define ATTRIBUTE_MAX 65536 /* the kernel's limit on names and on values */

void file_text_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c <= ' ' || c == '\\' || c == 0x7f)
			fprintf(out, "\\%03o", c);
		else
			fputc(c, out);
	}
}

int file_text_content(FILE *out, int fd)
{
	cleanup_free char *buffer = malloc(CHUNK);
	char text[HASH_TEXT];
	struct hash hash;
	ssize_t n = buffer ? 0 : -1;

	hash_start(&hash);
	while (buffer && (n = read(fd, buffer, CHUNK)) > 0)
		hash_add(&hash, buffer, (size_t)n);
	if (n < 0)
		return -1;
	hash_finish(&hash, text);
	fprintf(out, " %" PRIu64 " sha256:%s", hash.bytes, text);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_attribute(FILE *out, int fd, const char *name)
{
	cleanup_free char *value = malloc(ATTRIBUTE_MAX);
	ssize_t n = value ? fgetxattr(fd, name, value, ATTRIBUTE_MAX) : -1;

	if (n < 0)
		return;
	fputc(' ', out);
	file_text_name(out, name);
	fputc('=', out);
	for (ssize_t i = 0; i < n; i++)
		fprintf(out, "%02x", (unsigned char)value[i]);
}

void file_text_attributes(FILE *out, int fd)
{
	cleanup_free char *names = malloc(ATTRIBUTE_MAX), **sorted = NULL;
	ssize_t bytes = flistxattr(fd, NULL, 0);
	size_t count = 0;

	if (bytes <= 0) /* nearly always */
		return;
	bytes = names ? flistxattr(fd, names, ATTRIBUTE_MAX) : -1;
	sorted = bytes > 0 ? calloc((size_t)bytes, sizeof(*sorted)) : NULL;
	for (char *name = names; sorted && name < names + bytes; name += strlen(name) + 1)
		if (strncmp(name, "user.", 5) == 0 && strncmp(name, "user.overlay.", 13) != 0)
			sorted[count++] = name;
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < count; i++)
		put_attribute(out, fd, sorted[i]);
}
