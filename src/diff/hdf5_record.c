#include "diff/hdf5_record.h"

#include <string.h>

void hdf5_put_text(FILE *out, const void *text, size_t size)
{
	const uint32_t length = (uint32_t)size;

	fwrite(&length, sizeof(length), 1, out);
	fwrite(text, 1, size, out);
}

void hdf5_put_object(FILE *out, const char *path)
{
	putc(HDF5_OBJECT, out);
	hdf5_put_text(out, path, strlen(path));
}

void hdf5_put_fact(FILE *out, enum hdf5_fact fact, const char *value)
{
	putc(HDF5_FACT, out);
	putc((int)fact, out);
	hdf5_put_text(out, value, strlen(value));
}

void hdf5_put_values(FILE *out, const struct hdf5_numbers *numbers)
{
	putc(HDF5_VALUES, out);
	putc(numbers->class, out);
	putc(numbers->size, out);
	putc(numbers->big, out);
}
