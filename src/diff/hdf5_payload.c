#include "diff/hdf5_payload.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define PIECE	       (16u << 20)  /* bytes of elements in memory */
#define ATTRIBUTE_MOST (256u << 20) /* these come as a whole */

int hdf5_shape_read(const struct hdf5_library *library, hdf5_id space, struct hdf5_shape *shape)
{
	*shape = (struct hdf5_shape){ .kind = library->space_kind(space), .elements = 1 };
	if (shape->kind == HDF5_SCALAR)
		return 0;
	if (shape->kind == HDF5_NULL) {
		shape->elements = 0;
		return 0;
	}
	shape->count = library->dimension_count(space);
	if (shape->kind != HDF5_SIMPLE || shape->count < 0 || shape->count > HDF5_DIMENSIONS ||
		library->dimensions(space, shape->sizes, shape->most) < 0)
		return -1;
	for (int i = 0; i < shape->count; i++)
		if (__builtin_mul_overflow(shape->elements, shape->sizes[i], &shape->elements))
			return -1;
	return 0;
}

/* Elements of a piece, as pieces of the stream. */
static int put_elements(
	const struct hdf5_source *source, const unsigned char *elements, uint64_t count, FILE *out)
{
	const struct hdf5_library *library = source->library;
	size_t size = library->type_size(source->type), written;
	cleanup_free char *text = NULL;
	FILE *to;

	if (hdf5_type_is_plain(library, source->type)) {
		hdf5_put_text(out, elements, count * size);
		return 0;
	}
	to = open_memstream(&text, &written);
	if (!to)
		return -1;
	for (uint64_t i = 0; i < count; i++)
		hdf5_element_put(library, source->file, source->type, elements + i * size, to);
	if (fclose(to))
		return -1;
	if (written)
		hdf5_put_text(out, text, written);
	return 0;
}

/* A block of a dataset: whole in the last dimensions, one in the first, and some between. */
struct block {
	unsigned long long start[HDF5_DIMENSIONS], count[HDF5_DIMENSIONS];
	int axis; /* the one that is cut */
};

static struct block first_block(const struct hdf5_shape *shape, size_t size)
{
	struct block block = { .axis = shape->count - 1 };
	uint64_t bytes = size;

	for (int i = 0; i < shape->count; i++)
		block.count[i] = 1;
	for (int i = shape->count - 1; i >= 0; i--) {
		uint64_t most = bytes ? PIECE / bytes : 0;

		block.axis = i;
		block.count[i] = shape->sizes[i] <= most ? shape->sizes[i] : most ? most : 1;
		if (block.count[i] < shape->sizes[i])
			break;
		bytes *= shape->sizes[i];
	}
	return block;
}

/* False behind the last. */
static bool next_block(const struct hdf5_shape *shape, struct block *block)
{
	for (int i = block->axis; i >= 0; i--) {
		block->start[i] += block->count[i];
		if (block->start[i] < shape->sizes[i])
			return true;
		block->start[i] = 0;
	}
	return false;
}

static int put_block(const struct hdf5_source *source, hdf5_id space, const struct block *block,
	unsigned char *elements, FILE *out)
{
	const struct hdf5_library *library = source->library;
	unsigned long long count[HDF5_DIMENSIONS];
	uint64_t all = 1;
	hdf5_id memory;
	int failed;

	for (int i = 0; i < source->shape.count; i++) {
		unsigned long long left = source->shape.sizes[i] - block->start[i];

		count[i] = block->count[i] < left ? block->count[i] : left;
		all *= count[i];
	}
	memory = library->space_new(source->shape.count, count, NULL);
	if (memory < 0)
		return -1;
	failed = library->select(space, 0, block->start, NULL, count, NULL) < 0 ||
		 library->dataset_read(
			 source->object, source->type, memory, space, HDF5_DEFAULT, elements) < 0;
	if (!failed)
		failed = put_elements(source, elements, all, out);
	if (!failed && !hdf5_type_is_plain(library, source->type))
		library->reclaim(source->type, memory, HDF5_DEFAULT, elements);
	library->space_close(memory);
	return failed ? -1 : 0;
}

static int put_blocks(const struct hdf5_source *source, hdf5_id space, FILE *out)
{
	size_t size = source->library->type_size(source->type);
	cleanup_free unsigned char *elements = NULL;
	struct block block;

	if (!size)
		return -1;
	elements = malloc(size > PIECE ? size : PIECE);
	if (!elements)
		return -1;
	block = first_block(&source->shape, size);
	do
		if (put_block(source, space, &block, elements, out))
			return -1;
	while (next_block(&source->shape, &block));
	return 0;
}

static int put_scalar(const struct hdf5_source *source, FILE *out)
{
	const struct hdf5_library *library = source->library;
	cleanup_free unsigned char *element = malloc(library->type_size(source->type) + 1);

	if (!element || library->dataset_read(source->object, source->type, HDF5_ALL, HDF5_ALL,
				HDF5_DEFAULT, element) < 0)
		return -1;
	return put_elements(source, element, 1, out);
}

int hdf5_payload_put_dataset(const struct hdf5_source *dataset, FILE *out)
{
	hdf5_id space = dataset->library->dataset_space(dataset->object);
	int failed = 0;

	if (space < 0)
		return -1;
	if (dataset->shape.kind == HDF5_SCALAR)
		failed = put_scalar(dataset, out);
	else if (dataset->shape.elements)
		failed = put_blocks(dataset, space, out);
	dataset->library->space_close(space);
	return failed;
}

int hdf5_payload_put_attribute(const struct hdf5_source *attribute, FILE *out)
{
	const struct hdf5_library *library = attribute->library;
	size_t size = library->type_size(attribute->type);
	uint64_t count = attribute->shape.elements;
	cleanup_free unsigned char *elements = NULL;

	if (!count)
		return 0;
	if (!size || count > ATTRIBUTE_MOST / size)
		return -1;
	elements = malloc(count * size);
	if (!elements || library->attribute_read(attribute->object, attribute->type, elements) < 0)
		return -1;
	return put_elements(attribute, elements, count, out);
}
