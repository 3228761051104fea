#include "diff/git_delta.h"

#include <string.h>

#define COPY	     0x80    /* from the base; else so many bytes follow */
#define COPY_DEFAULT 0x10000 /* bytes when the size is left out */

/* Seven bits a byte, the lowest first. */
static uint64_t take_size(const struct blob *delta, uint64_t *at)
{
	uint64_t size = 0;

	for (unsigned shift = 0; shift < 63 && *at < delta->size; shift += 7) {
		unsigned char byte = delta->data[(*at)++];

		size |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return size;
	}
	return UINT64_MAX;
}

uint64_t git_delta_size(const struct blob *delta, uint64_t base_size)
{
	uint64_t at = 0;

	return take_size(delta, &at) == base_size ? take_size(delta, &at) : UINT64_MAX;
}

/* Those bytes of a number whose bits are set in `which`. */
static uint64_t take_sparse(const struct blob *delta, uint64_t *at, unsigned which, unsigned bytes)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		if (which & 1u << i)
			number |= blob_le(delta, (*at)++, 1) << 8 * i;
	return number;
}

bool git_delta_apply(const struct blob *delta, const struct blob *base, unsigned char *to)
{
	uint64_t at = 0, size, left;

	take_size(delta, &at);
	left = take_size(delta, &at);
	while (at < delta->size) {
		unsigned char command = delta->data[at++];
		const unsigned char *from;

		if (command & COPY) {
			uint64_t offset = take_sparse(delta, &at, command & 0xf, 4);

			size = take_sparse(delta, &at, command >> 4 & 7, 3);
			if (!size)
				size = COPY_DEFAULT;
			if (offset > base->size || size > base->size - offset)
				return false;
			from = base->data + offset;
		} else {
			size = command;
			if (!size || at > delta->size || size > delta->size - at)
				return false;
			from = delta->data + at;
			at += size;
		}
		if (size > left)
			return false;
		memcpy(to, from, size);
		to += size;
		left -= size;
	}
	return left == 0;
}
