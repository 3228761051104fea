#include "image/names.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 256 /* a power of two, as all that follow */

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash ^ hash >> 32;
}

/* Where it is, or where it belongs. There is always a free place. */
static struct name *place_of(struct name *places, size_t room, const char *text, uint64_t hash)
{
	size_t i = hash & (room - 1);

	while (places[i].text && (places[i].hash != hash || strcmp(places[i].text, text) != 0))
		i = (i + 1) & (room - 1);
	return &places[i];
}

static int grow(struct names *names)
{
	size_t room = names->room ? 2 * names->room : FIRST_ROOM;
	struct name *places = calloc(room, sizeof(*places));

	if (!places)
		return -1;
	for (size_t i = 0; i < names->room; i++) {
		struct name *old = &names->places[i];

		if (old->text)
			*place_of(places, room, old->text, old->hash) = *old;
	}
	free(names->places);
	names->places = places;
	names->room = room;
	return 0;
}

struct name *names_find(const struct names *names, const char *text)
{
	struct name *found;

	if (!names->count)
		return NULL;
	found = place_of(names->places, names->room, text, hash_of(text));
	return found->text ? found : NULL;
}

struct name *names_add(struct names *names, const char *text, size_t number)
{
	uint64_t hash = hash_of(text);
	struct name *place;
	char *copy;

	if (2 * names->count >= names->room && grow(names))
		return NULL;
	place = place_of(names->places, names->room, text, hash);
	if (place->text)
		return place;
	copy = strdup(text);
	if (!copy)
		return NULL;
	*place = (struct name){ .text = copy, .hash = hash, .number = number };
	names->count++;
	return place;
}

void names_release(struct names *names)
{
	for (size_t i = 0; i < names->room; i++)
		free(names->places[i].text);
	free(names->places);
	*names = (struct names){ 0 };
}
