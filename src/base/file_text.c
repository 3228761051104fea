#include "base/file_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/cleanup.h"
#include "base/hash.h"

#define CHUNK (1 << 18)

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

static void put_attribute(FILE *out, const struct attribute *attribute)
{
	const unsigned char *value = attribute->value;

	fputc(' ', out);
	file_text_name(out, attribute->name);
	fputc('=', out);
	for (size_t i = 0; i < attribute->bytes; i++)
		fprintf(out, "%02x", value[i]);
}

int file_text_attributes(FILE *out, int fd)
{
	struct attributes attributes;
	int failed = attributes_read(fd, &attributes);

	for (size_t i = 0; i < attributes.count && !failed; i++)
		put_attribute(out, &attributes.list[i]);
	attributes_release(&attributes);
	return failed;
}
