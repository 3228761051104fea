#include "diff/dwarf_cursor.h"

#include <string.h>

#define WIDE_MARK  0xffffffffu /* instead of a length of four bytes: one of eight follows */
#define LENGTH_END 0xfffffff0u /* lengths from here on are marks */

struct dwarf_cursor dwarf_cursor(const struct dwarf_section *section, uint64_t at, uint64_t end)
{
	bool bad = end > section->bytes.size || at > end;

	return (struct dwarf_cursor){ section, at, bad ? at : end, bad };
}

static const struct dwarf_relocation *find_relocation(
	const struct dwarf_section *section, uint64_t at)
{
	size_t low = 0, high = section->relocation_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (section->relocations[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < section->relocation_count && section->relocations[low].at == at
		       ? &section->relocations[low]
		       : NULL;
}

static bool has(struct dwarf_cursor *cursor, uint64_t bytes)
{
	if (cursor->bad || bytes > cursor->end - cursor->at)
		cursor->bad = true;
	return !cursor->bad;
}

uint64_t dwarf_take(struct dwarf_cursor *cursor, unsigned bytes)
{
	const struct dwarf_section *section = cursor->section;
	const struct dwarf_relocation *relocation = NULL;
	uint64_t at = cursor->at;

	if (!has(cursor, bytes))
		return 0;
	cursor->at += bytes;
	if (section->relocation_count && (bytes == 4 || bytes == 8))
		relocation = find_relocation(section, at);
	return relocation ? relocation->value
			  : elf_number(section->elf, &section->bytes, at, bytes);
}

/* Bits beyond the 64th count for nothing, as for other readers. */
static uint64_t take_bits(struct dwarf_cursor *cursor, unsigned *bits, unsigned char *last)
{
	uint64_t number = 0;

	*bits = 0;
	do {
		*last = (unsigned char)dwarf_take(cursor, 1);
		if (*bits < 64)
			number |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
	} while (*last & 0x80);
	return number;
}

uint64_t dwarf_take_unsigned(struct dwarf_cursor *cursor)
{
	unsigned char last;
	unsigned bits;

	return take_bits(cursor, &bits, &last);
}

int64_t dwarf_take_signed(struct dwarf_cursor *cursor)
{
	unsigned char last;
	unsigned bits;
	uint64_t number = take_bits(cursor, &bits, &last);

	if (bits < 64 && last & 0x40)
		number |= UINT64_MAX << bits;
	return (int64_t)number;
}

uint64_t dwarf_take_length(struct dwarf_cursor *cursor, bool *wide)
{
	uint64_t length = dwarf_take(cursor, 4);

	*wide = length == WIDE_MARK;
	if (*wide)
		length = dwarf_take(cursor, 8);
	else if (length >= LENGTH_END)
		cursor->bad = true;
	return has(cursor, length) ? length : 0;
}

struct blob dwarf_take_block(struct dwarf_cursor *cursor, uint64_t bytes)
{
	struct blob block = blob_part(&cursor->section->bytes, cursor->at, 0, NULL);

	if (has(cursor, bytes)) {
		block.size = bytes;
		cursor->at += bytes;
	}
	return block;
}

const char *dwarf_take_text(struct dwarf_cursor *cursor)
{
	const char *text = (const char *)cursor->section->bytes.data + cursor->at;
	const char *end = cursor->bad ? NULL : memchr(text, '\0', cursor->end - cursor->at);

	if (!end) {
		cursor->bad = true;
		return "";
	}
	cursor->at += (uint64_t)(end - text) + 1;
	return text;
}
