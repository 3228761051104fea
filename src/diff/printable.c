#include "diff/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static uint32_t character(const unsigned char *at, size_t bytes)
{
	uint32_t value = bytes == 1 ? at[0] : at[0] & (0x7fu >> bytes);

	for (size_t i = 1; i < bytes; i++)
		value = value << 6 | (at[i] & 0x3f);
	return value;
}

static bool is_control(uint32_t value)
{
	return (value < ' ' && value != '\t') || (value >= 0x7f && value < 0xa0) ||
	       value == 0x200e || value == 0x200f || (value >= 0x2028 && value <= 0x202e) ||
	       (value >= 0x2066 && value <= 0x2069);
}

static size_t count_bytes(const char *at, size_t left)
{
	char copy[5] = "";

	memcpy(copy, at, left < 4 ? left : 4);
	return copy[0] ? utf8_bytes(copy) : 0;
}

void printable_put(FILE *out, const char *text, size_t size)
{
	while (size) {
		size_t bytes = count_bytes(text, size), step = bytes ? bytes : 1;

		if (bytes && !is_control(character((const unsigned char *)text, bytes)))
			fwrite(text, 1, bytes, out);
		else
			for (size_t i = 0; i < step; i++)
				fprintf(out, "\\%03o", (unsigned char)text[i]);
		text += step;
		size -= step;
	}
}
