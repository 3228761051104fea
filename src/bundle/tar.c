#include "bundle/tar.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_NAME  "././@LongLink"
#define OCTAL_SIZE (1ull << 33) /* from here on a size is written in binary */

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100],
		magic[8], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == TAR_BLOCK, "as the format has it");

static void put_size(struct header *header, uint64_t size)
{
	if (size < OCTAL_SIZE) {
		snprintf(header->size, sizeof(header->size), "%011llo", (unsigned long long)size);
		return;
	}
	header->size[0] = (char)0x80;
	for (int i = 0; i < 8; i++)
		header->size[11 - i] = (char)(size >> 8 * i);
}

/* Over all bytes, with blanks in place of the sum. */
static void put_sum(struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	unsigned sum = 0;

	memset(header->sum, ' ', sizeof(header->sum));
	for (size_t i = 0; i < sizeof(*header); i++)
		sum += bytes[i];
	snprintf(header->sum, sizeof(header->sum), "%06o", sum & 0777777);
}

static void put_header(
	struct header *header, const char *name, char type, mode_t mode, uint64_t size)
{
	size_t length = strlen(name);

	memset(header, 0, sizeof(*header));
	memcpy(header->name, name, length < sizeof(header->name) ? length : sizeof(header->name));
	snprintf(header->mode, sizeof(header->mode), "%07o", (unsigned)mode & 07777);
	snprintf(header->uid, sizeof(header->uid), "%07o", 0);
	snprintf(header->gid, sizeof(header->gid), "%07o", 0);
	put_size(header, size);
	snprintf(header->time, sizeof(header->time), "%011o", 0);
	header->type = type;
	memcpy(header->magic, "ustar  ", sizeof(header->magic));
	put_sum(header);
}

char *tar_header(const char *name, mode_t mode, uint64_t size, size_t *bytes)
{
	size_t length = strlen(name) + 1;
	bool is_long = length > sizeof(((struct header *)0)->name);
	size_t before = is_long ? TAR_BLOCK + length + tar_padding(length) : 0;
	char *all = calloc(1, before + TAR_BLOCK);

	if (!all)
		return NULL;
	if (is_long) {
		put_header((struct header *)all, LONG_NAME, 'L', 0644, length);
		memcpy(all + TAR_BLOCK, name, length);
	}
	put_header((struct header *)(all + before), name, '0', mode, size);
	*bytes = before + TAR_BLOCK;
	return all;
}
