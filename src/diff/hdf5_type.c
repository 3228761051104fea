#include "diff/hdf5_type.h"

#include <string.h>

#define TYPES_MOST   64	  /* one in the other */
#define MEMBERS_MOST 4096 /* that are told */

static void put_at(const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out);

static void put_above(const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out)
{
	hdf5_id above = library->type_above(type);

	if (above < 0)
		return;
	put_at(library, above, depth + 1, out);
	library->type_close(above);
}

static void put_integer(
	const struct hdf5_library *library, hdf5_id type, const char *name, FILE *out)
{
	fprintf(out, "%s%s%zu%s", library->type_sign(type) == 0 ? "u" : "", name,
		8 * library->type_size(type),
		library->type_order(type) == HDF5_BIG_ENDIAN ? ", big-endian" : "");
}

static void put_compound(
	const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out)
{
	int count = library->type_member_count(type);

	fputs("compound {", out);
	for (int i = 0; i < count && i < MEMBERS_MOST; i++) {
		char *name = library->type_member_name(type, (unsigned)i);
		hdf5_id member = library->type_member(type, (unsigned)i);

		fprintf(out, "%s %s: ", i ? "," : "", name ? name : "");
		if (member >= 0) {
			put_at(library, member, depth + 1, out);
			library->type_close(member);
		}
		library->free(name);
	}
	fputs(" }", out);
}

static void put_enum(const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out)
{
	int count = library->type_member_count(type);
	size_t size = library->type_size(type);
	unsigned char value[64];

	fputs("enum of ", out);
	put_above(library, type, depth, out);
	fputs(" {", out);
	for (int i = 0; i < count && i < MEMBERS_MOST && size <= sizeof(value); i++) {
		char *name = library->type_member_name(type, (unsigned)i);

		fprintf(out, "%s %s = 0x", i ? "," : "", name ? name : "");
		if (library->type_member_value(type, (unsigned)i, value) >= 0)
			for (size_t k = 0; k < size; k++)
				fprintf(out, "%02x", value[k]);
		library->free(name);
	}
	fputs(" }", out);
}

static void put_array(const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out)
{
	unsigned long long sizes[HDF5_DIMENSIONS];
	int count = library->type_dimension_count(type);

	fputs("array [", out);
	if (count <= HDF5_DIMENSIONS && library->type_dimensions(type, sizes) >= 0)
		for (int i = 0; i < count; i++)
			fprintf(out, "%s%llu", i ? ", " : "", sizes[i]);
	fputs("] of ", out);
	put_above(library, type, depth, out);
}

static void put_opaque(const struct hdf5_library *library, hdf5_id type, FILE *out)
{
	char *tag = library->type_tag(type);

	fprintf(out, "opaque of %zu bytes, tag '%s'", library->type_size(type), tag ? tag : "");
	library->free(tag);
}

static void put_string(const struct hdf5_library *library, hdf5_id type, FILE *out)
{
	static const char *const paddings[] = { "", ", padded with zeros", ", padded with blanks" };
	int padding = library->type_padding(type);

	if (library->type_is_variable_string(type) > 0)
		fputs("string", out);
	else
		fprintf(out, "string of %zu bytes", library->type_size(type));
	fprintf(out, ", %s%s", library->type_characters(type) == 1 ? "UTF-8" : "ASCII",
		padding >= 0 && padding < 3 ? paddings[padding] : ", padded otherwise");
}

static void put_at(const struct hdf5_library *library, hdf5_id type, unsigned depth, FILE *out)
{
	int class = library->type_class(type);

	if (depth > TYPES_MOST) {
		fputs("...", out);
		return;
	}
	switch (class) {
	case HDF5_INTEGER:
		put_integer(library, type, "int", out);
		break;
	case HDF5_FLOAT:
		fprintf(out, "float%zu%s", 8 * library->type_size(type),
			library->type_order(type) == HDF5_BIG_ENDIAN ? ", big-endian" : "");
		break;
	case HDF5_STRING:
		put_string(library, type, out);
		break;
	case HDF5_COMPOUND:
		put_compound(library, type, depth, out);
		break;
	case HDF5_ENUM:
		put_enum(library, type, depth, out);
		break;
	case HDF5_VARIABLE:
		fputs("sequence of ", out);
		put_above(library, type, depth, out);
		break;
	case HDF5_ARRAY:
		put_array(library, type, depth, out);
		break;
	case HDF5_OPAQUE:
		put_opaque(library, type, out);
		break;
	default:
		fprintf(out, "%s of %zu bytes",
			class == HDF5_REFERENCE	 ? "reference"
			: class == HDF5_BITFIELD ? "bits"
						 : "other",
			library->type_size(type));
	}
}

void hdf5_type_put(const struct hdf5_library *library, hdf5_id type, FILE *out)
{
	put_at(library, type, 0, out);
}

struct hdf5_numbers hdf5_type_numbers(const struct hdf5_library *library, hdf5_id type)
{
	int class = library->type_class(type);
	size_t size = library->type_size(type);
	struct hdf5_numbers numbers = { 0 };

	if (size > 8)
		return numbers;
	if (class == HDF5_INTEGER)
		numbers.class = library->type_sign(type) == 0 ? 'u' : 'i';
	if (class == HDF5_FLOAT && (size == 4 || size == 8))
		numbers.class = 'f';
	numbers.size = (unsigned char)size;
	numbers.big = library->type_order(type) == HDF5_BIG_ENDIAN;
	return numbers;
}

bool hdf5_type_is_plain(const struct hdf5_library *library, hdf5_id type)
{
	int class = library->type_class(type);
	bool plain = false;
	hdf5_id above;

	switch (class) {
	case HDF5_STRING:
		return library->type_is_variable_string(type) == 0;
	case HDF5_ARRAY:
		above = library->type_above(type);
		plain = above >= 0 && hdf5_type_is_plain(library, above);
		library->type_close(above);
		return plain;
	default:
		return class != HDF5_COMPOUND && class != HDF5_REFERENCE && class != HDF5_VARIABLE;
	}
}

static void put_variable_string(const unsigned char *element, FILE *out)
{
	const char *text;

	memcpy(&text, element, sizeof(text));
	if (text)
		fputs(text, out);
	putc('\n', out);
}

/* `count` elements one after the other. */
static void put_elements(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *elements, size_t count, FILE *out)
{
	size_t size = library->type_size(type);

	for (size_t i = 0; i < count; i++)
		hdf5_element_put(library, file, type, elements + i * size, out);
}

static void put_sequence(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out)
{
	hdf5_id above = library->type_above(type);
	struct hdf5_sequence sequence;

	if (above < 0)
		return;
	memcpy(&sequence, element, sizeof(sequence));
	fwrite(&sequence.count, sizeof(sequence.count), 1, out);
	put_elements(library, file, above, sequence.elements, sequence.count, out);
	library->type_close(above);
}

static void put_array_elements(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out)
{
	hdf5_id above = library->type_above(type);

	if (above < 0)
		return;
	put_elements(library, file, above, element,
		library->type_size(type) / library->type_size(above), out);
	library->type_close(above);
}

static void put_members(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out)
{
	int count = library->type_member_count(type);

	for (int i = 0; i < count; i++) {
		hdf5_id member = library->type_member(type, (unsigned)i);

		if (member < 0)
			continue;
		hdf5_element_put(library, file, member,
			element + library->type_member_place(type, (unsigned)i), out);
		library->type_close(member);
	}
}

/* Of an object: its name. A region has no short one: its bytes stand for it. */
static void put_reference(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out)
{
	char name[1024] = "";
	size_t size = library->type_size(type);
	ssize_t known = size == sizeof(uint64_t)
				? library->reference_name(
					  file, HDF5_OBJECT_REFERENCE, element, name, sizeof(name))
				: -1;

	if (known > 0 && (size_t)known < sizeof(name))
		fprintf(out, "%s\n", name);
	else
		fwrite(element, 1, size, out);
}

void hdf5_element_put(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out)
{
	switch (library->type_class(type)) {
	case HDF5_VARIABLE:
		put_sequence(library, file, type, element, out);
		break;
	case HDF5_COMPOUND:
		put_members(library, file, type, element, out);
		break;
	case HDF5_ARRAY:
		put_array_elements(library, file, type, element, out);
		break;
	case HDF5_REFERENCE:
		put_reference(library, file, type, element, out);
		break;
	default:
		if (library->type_is_variable_string(type) > 0)
			put_variable_string(element, out);
		else
			fwrite(element, 1, library->type_size(type), out);
	}
}
