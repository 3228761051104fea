#include "diff/sqlite_record.h"

#include <string.h>

#include "diff/sqlite_tree.h"

enum type {
	TYPE_NULL = 0,
	TYPE_REAL = 7,
	TYPE_ZERO = 8,
	TYPE_ONE = 9,
	TYPE_BYTES = 12, /* and even ones beyond; text has odd ones */
};

struct sqlite_record sqlite_record_start(const struct blob *blob)
{
	struct sqlite_record record = { .blob = blob };

	record.types_end = sqlite_take_number(blob, &record.types);
	record.data = record.types_end;
	record.bad = record.types > blob->size || record.types_end > blob->size ||
		     record.types_end < record.types;
	return record;
}

/* Bytes of a value; those of reserved types, UINT64_MAX. */
static uint64_t size_of(uint64_t type)
{
	static const unsigned char sizes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };

	if (type >= TYPE_BYTES)
		return (type - TYPE_BYTES) / 2;
	return type < sizeof(sizes) ? sizes[type] : UINT64_MAX;
}

bool sqlite_record_next(struct sqlite_record *record, struct sqlite_value *value)
{
	uint64_t size;

	if (record->bad || record->types >= record->types_end)
		return false;
	value->type = sqlite_take_number(record->blob, &record->types);
	size = size_of(value->type);
	if (record->types > record->types_end || size > record->blob->size - record->data) {
		record->bad = true;
		return false;
	}
	value->bytes = blob_part(record->blob, record->data, size, NULL);
	record->data += size;
	return true;
}

int64_t sqlite_value_number(const struct sqlite_value *value)
{
	unsigned bytes = (unsigned)value->bytes.size;

	if (value->type >= TYPE_REAL)
		return value->type == TYPE_ONE;
	if (!bytes)
		return 0;
	/* Moved up and back: the sign comes along. */
	return (int64_t)(blob_be(&value->bytes, 0, bytes) << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static void put_real(FILE *out, const struct blob *bytes)
{
	uint64_t bits = blob_be(bytes, 0, 8);
	double real;

	memcpy(&real, &bits, sizeof(real));
	fprintf(out, "%.17g", real);
}

static void put_text(FILE *out, const struct blob *bytes)
{
	fputc('\'', out);
	for (uint64_t i = 0; i < bytes->size; i++) {
		unsigned char byte = bytes->data[i];

		if (byte < ' ' || byte == '\\' || byte == '\'')
			fprintf(out, "\\%03o", byte);
		else
			fputc(byte, out);
	}
	fputc('\'', out);
}

static void put_bytes(FILE *out, const struct blob *bytes)
{
	fputs("x'", out);
	for (uint64_t i = 0; i < bytes->size; i++)
		fprintf(out, "%02x", bytes->data[i]);
	fputc('\'', out);
}

void sqlite_value_put(FILE *out, const struct sqlite_value *value)
{
	if (value->type == TYPE_NULL)
		fputs("NULL", out);
	else if (value->type == TYPE_REAL)
		put_real(out, &value->bytes);
	else if (value->type < TYPE_BYTES)
		fprintf(out, "%lld", (long long)sqlite_value_number(value));
	else if (value->type % 2)
		put_text(out, &value->bytes);
	else
		put_bytes(out, &value->bytes);
}
