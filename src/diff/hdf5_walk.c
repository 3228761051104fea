#include "diff/hdf5_walk.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "diff/hdf5_payload.h"

#define FILTERS_MOST 32
#define CACHE_SLOTS  100003 /* a prime, as the library advises */
#define CACHE_BYTES  (256u << 20)
#define NAME_MOST    256 /* of a filter */

/* An object and the name by which it was told. */
struct seen {
	uint64_t address;
	char *path;
};

struct walk {
	struct hdf5_library library;
	hdf5_id file;
	void *seen; /* a tree of such */
	FILE *out;
};

/* A fact that is made here. */
static void put_fact(struct walk *walk, enum hdf5_fact fact,
	void (*put)(const struct walk *walk, const void *of, FILE *out), const void *of)
{
	cleanup_free char *value = NULL;
	size_t size;
	FILE *out = open_memstream(&value, &size);

	if (!out)
		return;
	put(walk, of, out);
	if (fclose(out) == 0 && size)
		hdf5_put_fact(walk->out, fact, value);
}

static void put_type(const struct walk *walk, const void *type, FILE *out)
{
	hdf5_type_put(&walk->library, *(const hdf5_id *)type, out);
}

static void put_sizes(const unsigned long long *sizes, int count, FILE *out)
{
	putc('[', out);
	for (int i = 0; i < count; i++) {
		fputs(i ? ", " : "", out);
		if (sizes[i] == UINT64_MAX)
			fputs("unlimited", out);
		else
			fprintf(out, "%llu", sizes[i]);
	}
	putc(']', out);
}

static void put_shape(const struct walk *walk, const void *of, FILE *out)
{
	const struct hdf5_shape *shape = of;

	(void)walk;
	if (shape->kind == HDF5_SIMPLE)
		put_sizes(shape->sizes, shape->count, out);
	else
		fputs(shape->kind == HDF5_SCALAR ? "scalar" : "none", out);
}

static void put_most(const struct walk *walk, const void *of, FILE *out)
{
	const struct hdf5_shape *shape = of;

	(void)walk;
	if (shape->kind == HDF5_SIMPLE &&
		memcmp(shape->sizes, shape->most, sizeof(shape->sizes)) != 0)
		put_sizes(shape->most, shape->count, out);
}

static void put_layout(const struct walk *walk, const void *of, FILE *out)
{
	static const char *const names[] = { [HDF5_COMPACT] = "compact",
		[HDF5_CONTIGUOUS] = "contiguous",
		[HDF5_CHUNKED] = "chunks of ",
		[HDF5_VIRTUAL] = "virtual" };
	hdf5_id properties = *(const hdf5_id *)of;
	int layout = walk->library.layout(properties);
	unsigned long long sizes[HDF5_DIMENSIONS];
	int count;

	fputs(layout >= 0 && layout <= HDF5_VIRTUAL ? names[layout] : "other", out);
	if (layout != HDF5_CHUNKED)
		return;
	count = walk->library.chunk(properties, HDF5_DIMENSIONS, sizes);
	put_sizes(sizes, count > HDF5_DIMENSIONS ? HDF5_DIMENSIONS : count, out);
}

static void put_filters(const struct walk *walk, const void *of, FILE *out)
{
	hdf5_id properties = *(const hdf5_id *)of;
	int count = walk->library.filter_count(properties);

	for (int i = 0; i < count && i < FILTERS_MOST; i++) {
		unsigned flags, config, values[FILTERS_MOST];
		size_t value_count = FILTERS_MOST;
		char name[NAME_MOST] = "";
		int id = walk->library.filter(properties, (unsigned)i, &flags, &value_count, values,
			sizeof(name), name, &config);

		name[sizeof(name) - 1] = '\0';
		fprintf(out, "%s%s %d", i ? ", " : "", *name ? name : "filter", id);
		for (size_t k = 0; k < value_count && k < FILTERS_MOST; k++)
			fprintf(out, " %u", values[k]);
	}
}

static int put_bytes(struct walk *walk, const struct hdf5_source *source,
	int (*put)(const struct hdf5_source *source, FILE *out))
{
	const struct hdf5_numbers numbers = hdf5_type_numbers(&walk->library, source->type);
	int failed;

	put_fact(walk, HDF5_FACT_TYPE, put_type, &source->type);
	put_fact(walk, HDF5_FACT_SHAPE, put_shape, &source->shape);
	put_fact(walk, HDF5_FACT_MOST, put_most, &source->shape);
	hdf5_put_values(walk->out, &numbers);
	putc(HDF5_BYTES, walk->out);
	failed = put(source, walk->out);
	hdf5_put_text(walk->out, "", 0);
	if (failed)
		hdf5_put_fact(walk->out, HDF5_FACT_UNREADABLE, "yes");
	return ferror(walk->out) ? -1 : 0;
}

/* By the functions of a dataset or of an attribute. */
static int put_source(struct walk *walk, hdf5_id object, hdf5_id type, hdf5_id space,
	int (*put)(const struct hdf5_source *source, FILE *out))
{
	struct hdf5_source source = {
		.library = &walk->library, .file = walk->file, .object = object, .type = type
	};
	int failed = -1;

	if (type >= 0 && space >= 0 && hdf5_shape_read(&walk->library, space, &source.shape) == 0)
		failed = put_bytes(walk, &source, put);
	if (space >= 0)
		walk->library.space_close(space);
	if (type >= 0)
		walk->library.type_close(type);
	return failed;
}

static int put_attribute(struct walk *walk, const char *path, hdf5_id attribute)
{
	cleanup_free char *name = NULL, *full = NULL;
	ssize_t size = walk->library.attribute_name(attribute, 0, NULL);

	if (size < 0 || !(name = calloc(1, (size_t)size + 1)) ||
		walk->library.attribute_name(attribute, (size_t)size + 1, name) < 0 ||
		asprintf(&full, "%s@%s", path, name) < 0)
		return -1;
	hdf5_put_object(walk->out, full);
	hdf5_put_fact(walk->out, HDF5_FACT_KIND, "attribute");
	return put_source(walk, attribute, walk->library.attribute_type(attribute),
		walk->library.attribute_space(attribute), hdf5_payload_put_attribute);
}

static int put_attributes(struct walk *walk, const char *path, hdf5_id object)
{
	int count = walk->library.attribute_count(object), failed = count < 0 ? -1 : 0;

	for (int i = 0; i < count && !failed; i++) {
		hdf5_id attribute = walk->library.attribute_open(
			object, ".", 0, 0, (uint64_t)i, HDF5_DEFAULT, HDF5_DEFAULT);

		failed = attribute < 0 ? -1 : put_attribute(walk, path, attribute);
		if (attribute >= 0)
			walk->library.attribute_close(attribute);
	}
	return failed;
}

static int put_dataset(struct walk *walk, hdf5_id dataset)
{
	hdf5_id properties = walk->library.dataset_properties(dataset);

	hdf5_put_fact(walk->out, HDF5_FACT_KIND, "dataset");
	if (properties < 0)
		return -1;
	put_fact(walk, HDF5_FACT_LAYOUT, put_layout, &properties);
	put_fact(walk, HDF5_FACT_FILTERS, put_filters, &properties);
	walk->library.properties_close(properties);
	return put_source(walk, dataset, walk->library.dataset_type(dataset),
		walk->library.dataset_space(dataset), hdf5_payload_put_dataset);
}

static int put_object(struct walk *walk, const char *path, const char *name)
{
	hdf5_id object = walk->library.object_open(walk->file, name, HDF5_DEFAULT);
	int failed = 0, kind;

	if (object < 0)
		return -1;
	hdf5_put_object(walk->out, path);
	kind = walk->library.kind(object);
	if (kind == HDF5_DATASET) {
		failed = put_dataset(walk, object);
	} else {
		hdf5_put_fact(walk->out, HDF5_FACT_KIND, kind == HDF5_GROUP ? "group" : "type");
		if (kind == HDF5_TYPE)
			put_fact(walk, HDF5_FACT_TYPE, put_type, &object);
	}
	if (!failed)
		failed = put_attributes(walk, path, object);
	walk->library.object_close(object);
	return failed;
}

/* Where a link leads is told, and not followed. */
static int put_link(struct walk *walk, const char *path, hdf5_id group, const char *name,
	const struct hdf5_link *link)
{
	cleanup_free char *value = calloc(1, link->u.value_size + 1), *target = NULL;
	const char *file = NULL, *object = value;
	unsigned flags;

	if (!value ||
		walk->library.link_value(group, name, value, link->u.value_size, HDF5_DEFAULT) < 0)
		return -1;
	if (link->type == HDF5_EXTERNAL &&
		walk->library.link_unpack(value, link->u.value_size, &flags, &file, &object) < 0)
		return -1;
	if (asprintf(&target, "%s%s%s", file ? file : "", file ? " > " : "", object) < 0)
		return -1;
	hdf5_put_object(walk->out, path);
	hdf5_put_fact(walk->out, HDF5_FACT_KIND,
		link->type == HDF5_SOFT ? "soft link"
		: file			? "external link"
					: "other link");
	hdf5_put_fact(walk->out, HDF5_FACT_TARGET, target);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct seen *one = a, *other = b;

	return (one->address > other->address) - (one->address < other->address);
}

/* An object that had another name already is told as a link to that one. All end with the process. */
static int put_once(struct walk *walk, const char *path, const char *name, uint64_t address)
{
	struct seen *new = malloc(sizeof(*new)), **found;

	if (!new)
		return -1;
	*new = (struct seen){ address, strdup(path) };
	found = tsearch(new, &walk->seen, by_address);
	if (!found || !new->path)
		return -1;
	if (*found == new)
		return put_object(walk, path, name);
	hdf5_put_object(walk->out, path);
	hdf5_put_fact(walk->out, HDF5_FACT_KIND, "hard link");
	hdf5_put_fact(walk->out, HDF5_FACT_TARGET, (*found)->path);
	free(new->path);
	free(new);
	return 0;
}

static int on_link(hdf5_id group, const char *name, const struct hdf5_link *link, void *context)
{
	struct walk *walk = context;
	cleanup_free char *path = NULL;

	if (asprintf(&path, "/%s", name) < 0)
		return -1;
	return link->type == HDF5_HARD ? put_once(walk, path, name, link->u.address)
				       : put_link(walk, path, group, name, link);
}

/* Nothing else is opened from here on: files that this one names are no part of it. */
static int keep_others_closed(void)
{
	const struct rlimit none = { 0, 0 };

	return setrlimit(RLIMIT_NOFILE, &none);
}

/*
 * By C's streams: other drivers want a name to which no link leads. Chunks are kept, as they are
 * larger than the pieces that are read in some directions, and would be unpacked again and again.
 */
static hdf5_id open_file(const struct hdf5_library *library, int fd)
{
	hdf5_id access = library->open() < 0 ? -1 : library->properties_new(*library->access_class);
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (access < 0 || library->use_stdio(access) < 0 ||
		library->use_cache(access, 0, CACHE_SLOTS, CACHE_BYTES, 1) < 0)
		return -1;
	return library->file_open(name, 0, access);
}

int hdf5_walk(int fd, FILE *out)
{
	struct walk walk = { .out = out };

	if (hdf5_library_load(&walk.library)) {
		putc(HDF5_NO_LIBRARY, out);
		return fflush(out);
	}
	walk.library.silence(0, NULL, NULL);
	walk.file = open_file(&walk.library, fd);
	if (walk.file < 0 || keep_others_closed() || put_object(&walk, "/", "/") ||
		walk.library.visit(walk.file, 0, 0, on_link, &walk) < 0)
		return -1;
	putc(HDF5_COMPLETE, out);
	return fflush(out);
}
