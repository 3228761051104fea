#include "diff/dwarf_form.h"

#include <string.h>

#include "diff/dwarf_names.h"

/* How many bytes a form has. */
enum size {
	SIZE_NONE,
	SIZE_1,
	SIZE_2,
	SIZE_3,
	SIZE_4,
	SIZE_8 = 8,
	SIZE_ADDRESS,
	SIZE_OFFSET,
	SIZE_UNSIGNED,
	SIZE_SIGNED,
	SIZE_TEXT,
	/* A block, and how many bytes its length has. */
	SIZE_BLOCK1,
	SIZE_BLOCK2,
	SIZE_BLOCK4,
	SIZE_BLOCK,
	SIZE_16,
};

static const struct form {
	uint64_t form;
	const char *name;
	enum size size;
	enum dwarf_class class;
} forms[] = {
	{ 0x01, "addr", SIZE_ADDRESS, DWARF_ADDRESS },
	{ 0x03, "block2", SIZE_BLOCK2, DWARF_BLOCK },
	{ 0x04, "block4", SIZE_BLOCK4, DWARF_BLOCK },
	{ 0x05, "data2", SIZE_2, DWARF_NUMBER },
	{ 0x06, "data4", SIZE_4, DWARF_NUMBER },
	{ 0x07, "data8", SIZE_8, DWARF_NUMBER },
	{ 0x08, "string", SIZE_TEXT, DWARF_TEXT },
	{ 0x09, "block", SIZE_BLOCK, DWARF_BLOCK },
	{ 0x0a, "block1", SIZE_BLOCK1, DWARF_BLOCK },
	{ 0x0b, "data1", SIZE_1, DWARF_NUMBER },
	{ 0x0c, "flag", SIZE_1, DWARF_FLAG },
	{ 0x0d, "sdata", SIZE_SIGNED, DWARF_SIGNED },
	{ 0x0e, "strp", SIZE_OFFSET, DWARF_TEXT_AT },
	{ 0x0f, "udata", SIZE_UNSIGNED, DWARF_NUMBER },
	{ 0x10, "ref_addr", SIZE_OFFSET, DWARF_REFERENCE },
	{ 0x11, "ref1", SIZE_1, DWARF_UNIT_REFERENCE },
	{ 0x12, "ref2", SIZE_2, DWARF_UNIT_REFERENCE },
	{ 0x13, "ref4", SIZE_4, DWARF_UNIT_REFERENCE },
	{ 0x14, "ref8", SIZE_8, DWARF_UNIT_REFERENCE },
	{ 0x15, "ref_udata", SIZE_UNSIGNED, DWARF_UNIT_REFERENCE },
	{ 0x17, "sec_offset", SIZE_OFFSET, DWARF_PLACE },
	{ 0x18, "exprloc", SIZE_BLOCK, DWARF_BLOCK },
	{ 0x19, "flag_present", SIZE_NONE, DWARF_FLAG },
	{ 0x1a, "strx", SIZE_UNSIGNED, DWARF_TEXT_NUMBER },
	{ 0x1b, "addrx", SIZE_UNSIGNED, DWARF_ADDRESS_NUMBER },
	{ 0x1c, "ref_sup4", SIZE_4, DWARF_ELSEWHERE },
	{ 0x1d, "strp_sup", SIZE_OFFSET, DWARF_ELSEWHERE },
	{ 0x1e, "data16", SIZE_16, DWARF_BLOCK },
	{ 0x1f, "line_strp", SIZE_OFFSET, DWARF_LINE_TEXT_AT },
	{ 0x20, "ref_sig8", SIZE_8, DWARF_ELSEWHERE }, /* a type by its signature */
	{ DW_FORM_implicit_const, "implicit_const", SIZE_NONE, DWARF_SIGNED },
	{ 0x22, "loclistx", SIZE_UNSIGNED, DWARF_PLACE },
	{ 0x23, "rnglistx", SIZE_UNSIGNED, DWARF_PLACE },
	{ 0x24, "ref_sup8", SIZE_8, DWARF_ELSEWHERE },
	{ 0x25, "strx1", SIZE_1, DWARF_TEXT_NUMBER },
	{ 0x26, "strx2", SIZE_2, DWARF_TEXT_NUMBER },
	{ 0x27, "strx3", SIZE_3, DWARF_TEXT_NUMBER },
	{ 0x28, "strx4", SIZE_4, DWARF_TEXT_NUMBER },
	{ 0x29, "addrx1", SIZE_1, DWARF_ADDRESS_NUMBER },
	{ 0x2a, "addrx2", SIZE_2, DWARF_ADDRESS_NUMBER },
	{ 0x2b, "addrx3", SIZE_3, DWARF_ADDRESS_NUMBER },
	{ 0x2c, "addrx4", SIZE_4, DWARF_ADDRESS_NUMBER },
	{ 0x1f01, "GNU_addr_index", SIZE_UNSIGNED,
		DWARF_ADDRESS_NUMBER }, /* from here on: of GNU */
	{ 0x1f02, "GNU_str_index", SIZE_UNSIGNED, DWARF_TEXT_NUMBER },
	{ 0x1f20, "GNU_ref_alt", SIZE_OFFSET, DWARF_ELSEWHERE },
	{ 0x1f21, "GNU_strp_alt", SIZE_OFFSET, DWARF_ELSEWHERE },
};

static const struct form *find(uint64_t form)
{
	size_t low = 0, high = sizeof(forms) / sizeof(forms[0]);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (forms[middle].form == form)
			return &forms[middle];
		if (forms[middle].form < form)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

void dwarf_put_form(FILE *out, uint64_t number)
{
	const struct form *form = find(number);

	if (form)
		fputs(form->name, out);
	else
		fprintf(out, "0x%llx", (unsigned long long)number);
}

static uint64_t block_size(struct dwarf_cursor *cursor, enum size size)
{
	switch (size) {
	case SIZE_BLOCK1:
		return dwarf_take(cursor, 1);
	case SIZE_BLOCK2:
		return dwarf_take(cursor, 2);
	case SIZE_BLOCK4:
		return dwarf_take(cursor, 4);
	case SIZE_BLOCK:
		return dwarf_take_unsigned(cursor);
	default:
		return 16;
	}
}

static uint64_t take_number(
	struct dwarf_cursor *cursor, const struct dwarf_shape *shape, enum size size)
{
	switch (size) {
	case SIZE_ADDRESS:
		return dwarf_take(cursor, shape->address_size);
	case SIZE_OFFSET:
		return dwarf_take(cursor, shape->wide ? 8 : 4);
	case SIZE_UNSIGNED:
		return dwarf_take_unsigned(cursor);
	case SIZE_SIGNED:
		return (uint64_t)dwarf_take_signed(cursor);
	default:
		return dwarf_take(cursor, size);
	}
}

static struct blob take_text(struct dwarf_cursor *cursor)
{
	const char *text = dwarf_take_text(cursor);

	return (struct blob){ .data = (const unsigned char *)text, .size = strlen(text) + 1 };
}

struct dwarf_value dwarf_form_read(struct dwarf_cursor *cursor, const struct dwarf_shape *shape,
	const struct dwarf_attribute *attribute)
{
	bool indirect = attribute->form == DW_FORM_indirect;
	const struct form *form = find(indirect ? dwarf_take_unsigned(cursor) : attribute->form);
	struct dwarf_value value = { 0 };

	/* A constant stands in the abbreviation, so not behind a form that stands here. */
	if (!form || (indirect && form->form == DW_FORM_implicit_const)) {
		cursor->bad = true;
		return value;
	}
	value.class = form->class;
	if (form->size == SIZE_NONE)
		value.number = form->class == DWARF_FLAG ? 1 : (uint64_t)attribute->constant;
	else if (form->size == SIZE_TEXT)
		value.block = take_text(cursor);
	else if (form->size >= SIZE_BLOCK1)
		value.block = dwarf_take_block(cursor, block_size(cursor, form->size));
	else if (form->class == DWARF_REFERENCE && shape->version == 2)
		value.number = dwarf_take(cursor, shape->address_size);
	else
		value.number = take_number(cursor, shape, form->size);
	return value;
}
