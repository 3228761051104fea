/* Names of files are bytes, and JSON has text. */
#include <stdlib.h>
#include <string.h>

#include "bundle/index.h"

/* The bytes of the UTF-8 character at `text`; 0: it is none. */
static size_t character_bytes(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		unsigned least;
	} forms[] = { { 0x80, 0, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		unsigned value = text[0] & (unsigned char)~forms[i].mask;

		if ((text[0] & forms[i].mask) != forms[i].lead)
			continue;
		for (size_t k = 1; k <= i; k++) {
			if ((text[k] & 0xc0) != 0x80)
				return 0;
			value = value << 6 | (text[k] & 0x3f);
		}
		if (value < forms[i].least || value > 0x10ffff || value >> 11 == 0x1b)
			return 0;
		return i + 1;
	}
	return 0;
}

char *index_encode(const char *bytes)
{
	const unsigned char *from = (const unsigned char *)bytes;
	char *text = malloc(4 * strlen(bytes) + 1), *to = text;

	while (text && *from) {
		size_t length = character_bytes(from);

		if (length == 0 || *from < ' ' || *from == '\\' || *from == 0x7f) {
			*to++ = '\\';
			*to++ = (char)('0' + (*from >> 6));
			*to++ = (char)('0' + (*from >> 3 & 7));
			*to++ = (char)('0' + (*from & 7));
			from++;
			continue;
		}
		memcpy(to, from, length);
		to += length;
		from += length;
	}
	if (text)
		*to = '\0';
	return text;
}

static bool is_octal(const char *text)
{
	return text[0] >= '0' && text[0] <= '3' && text[1] >= '0' && text[1] <= '7' &&
	       text[2] >= '0' && text[2] <= '7';
}

char *index_decode(const char *text)
{
	char *bytes = malloc(strlen(text) + 1), *to = bytes;

	while (bytes && *text) {
		if (*text != '\\') {
			*to++ = *text++;
			continue;
		}
		if (!is_octal(text + 1) || memcmp(text + 1, "000", 3) == 0) {
			free(bytes);
			return NULL;
		}
		*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
		text += 4;
	}
	if (bytes)
		*to = '\0';
	return bytes;
}
