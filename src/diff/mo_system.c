#include "diff/mo_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER	 48
#define NO_NAME	 0xffffffffu /* behind the last piece */
#define NAME_MAX 64

static uint64_t word(const struct mo_system *system, uint64_t at)
{
	return system->big ? blob_be(system->blob, at, 4) : blob_le(system->blob, at, 4);
}

static bool has(const struct mo_system *system, uint64_t at, uint64_t count, uint64_t bytes)
{
	return at <= system->blob->size && count <= (system->blob->size - at) / bytes;
}

bool mo_system_read(struct mo_system *system, const struct blob *blob, bool big)
{
	*system = (struct mo_system){ .blob = blob, .big = big };
	system->segment_count = word(system, 28);
	system->segments = word(system, 32);
	system->count = word(system, 36);
	system->ids = word(system, 40);
	system->texts = word(system, 44);
	return blob->size >= HEADER && has(system, system->segments, system->segment_count, 8) &&
	       has(system, system->ids, system->count, 4) &&
	       has(system, system->texts, system->count, 4);
}

static bool put_name(const struct mo_system *system, FILE *out, uint64_t index)
{
	uint64_t size = word(system, system->segments + 8 * index);
	uint64_t at = word(system, system->segments + 8 * index + 4);

	/* Its end counts. */
	if (index >= system->segment_count || !size || size > NAME_MAX || !has(system, at, size, 1))
		return false;
	fprintf(out, "<%.*s>", (int)size - 1, (const char *)system->blob->data + at);
	return true;
}

/* Pieces of text, each with a name behind it; all pieces are at one place. */
static bool put_pieces(const struct mo_system *system, FILE *out, uint64_t at, uint64_t *left)
{
	uint64_t place = word(system, at), name = 0;

	for (at += 4; name != NO_NAME; at += 8) {
		uint64_t size = word(system, at);

		name = word(system, at + 4);
		if (!has(system, at, 8, 1) || !has(system, place, size, 1) || size > *left ||
			*left - size < NAME_MAX)
			return false;
		fwrite(system->blob->data + place, 1, size, out);
		place += size;
		*left -= size;
		if (name == NO_NAME)
			break;
		if (!put_name(system, out, name))
			return false;
		*left -= 8; /* that the piece has in its table */
	}
	return true;
}

char *mo_system_string(const struct mo_system *system, uint64_t table, uint64_t index,
	uint64_t *left, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	bool good;

	if (!out)
		return NULL;
	good = put_pieces(system, out, word(system, table + 4 * index), left);
	if (fclose(out) == 0 && good)
		return text;
	free(text);
	return NULL;
}
