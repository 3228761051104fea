#include "diff/tar_pax.h"

#include <string.h>

#define LENGTH_DIGITS 20 /* at most */

bool tar_decimal(struct span text, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < text.size; i++) {
		unsigned digit = (unsigned char)text.start[i] - '0';

		if (digit > 9 || *number > (UINT64_MAX >> 1) / 10 - 1)
			return false;
		*number = *number * 10 + digit;
	}
	return text.size > 0;
}

/* "LENGTH KEY=VALUE\n" */
bool tar_pax_next(const struct blob *pax, uint64_t *at, struct tar_record *record)
{
	struct blob rest = blob_part(pax, *at, UINT64_MAX, NULL);
	const char *start = (const char *)rest.data, *space, *equal;
	uint64_t length;

	space = rest.size
			? memchr(start, ' ', rest.size < LENGTH_DIGITS ? rest.size : LENGTH_DIGITS)
			: NULL;
	if (!space || !tar_decimal((struct span){ start, (size_t)(space - start) }, &length) ||
		length > rest.size || length < (uint64_t)(space - start) + 3 ||
		start[length - 1] != '\n')
		return false;
	record->key.start = space + 1;
	equal = memchr(space + 1, '=', length - (size_t)(space + 1 - start));
	if (!equal)
		return false;
	record->key.size = (size_t)(equal - record->key.start);
	record->value.start = equal + 1;
	record->value.size = length - 1 - (size_t)(equal + 1 - start);
	*at += length;
	return true;
}

struct span tar_pax_find(const struct blob *pax, const char *key)
{
	struct span found = { NULL, 0 };
	struct tar_record record;
	uint64_t at = 0;

	while (tar_pax_next(pax, &at, &record))
		if (span_is(record.key, key))
			found = record.value;
	return found;
}

bool tar_pax_is_whole(const struct blob *pax)
{
	struct tar_record record;
	uint64_t at = 0;

	while (tar_pax_next(pax, &at, &record))
		;
	return at == pax->size;
}
