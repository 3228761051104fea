#include "base/utf8.h"

#include <stdint.h>

/* By the first byte: how many there are, and between which the second must lie. That leaves out
 * longer forms than needed, surrogates, and what lies beyond U+10FFFF. */
static const struct {
	uint8_t first, last, bytes, least, most;
} forms[] = {
	{ 0x01, 0x7f, 1, 0, 0 },
	{ 0xc2, 0xdf, 2, 0x80, 0xbf },
	{ 0xe0, 0xe0, 3, 0xa0, 0xbf },
	{ 0xe1, 0xec, 3, 0x80, 0xbf },
	{ 0xed, 0xed, 3, 0x80, 0x9f },
	{ 0xee, 0xef, 3, 0x80, 0xbf },
	{ 0xf0, 0xf0, 4, 0x90, 0xbf },
	{ 0xf1, 0xf3, 4, 0x80, 0xbf },
	{ 0xf4, 0xf4, 4, 0x80, 0x8f },
};

size_t utf8_bytes(const char *text)
{
	const uint8_t *byte = (const uint8_t *)text;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (byte[0] < forms[i].first || byte[0] > forms[i].last)
			continue;
		if (forms[i].bytes > 1 && (byte[1] < forms[i].least || byte[1] > forms[i].most))
			return 0;
		for (size_t at = 2; at < forms[i].bytes; at++)
			if ((byte[at] & 0xc0) != 0x80)
				return 0;
		return forms[i].bytes;
	}
	return 0;
}

bool utf8_is_valid(const char *text)
{
	while (*text) {
		size_t bytes = utf8_bytes(text);

		if (!bytes)
			return false;
		text += bytes;
	}
	return true;
}
