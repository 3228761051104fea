/*
 * The functions of libhdf5 that are used, loaded when a file needs them: nothing is linked against it,
 * and none of its headers is needed. Their types are those of versions 1.10 to 1.14.
 */
#ifndef STET_DIFF_HDF5_LIBRARY_H
#define STET_DIFF_HDF5_LIBRARY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef int64_t hdf5_id; /* negative: failed; so are negative numbers of the functions below */

struct hdf5_link {
	int type; /* HDF5_HARD ... */
	_Bool order_valid;
	int64_t order;
	int characters;
	union {
		uint64_t address;
		size_t value_size;
	} u;
};
typedef int hdf5_link_function(
	hdf5_id group, const char *name, const struct hdf5_link *link, void *context);

/* A sequence of variable length. */
struct hdf5_sequence {
	size_t count;
	void *elements;
};

enum { HDF5_HARD = 0, HDF5_SOFT = 1, HDF5_EXTERNAL = 64 }; /* links */
enum { HDF5_GROUP = 2, HDF5_TYPE = 3, HDF5_DATASET = 5 };  /* objects */
enum { HDF5_SCALAR, HDF5_SIMPLE, HDF5_NULL };		   /* spaces */
enum { HDF5_COMPACT, HDF5_CONTIGUOUS, HDF5_CHUNKED, HDF5_VIRTUAL };
enum {
	HDF5_INTEGER,
	HDF5_FLOAT,
	HDF5_TIME,
	HDF5_STRING,
	HDF5_BITFIELD,
	HDF5_OPAQUE,
	HDF5_COMPOUND,
	HDF5_REFERENCE,
	HDF5_ENUM,
	HDF5_VARIABLE,
	HDF5_ARRAY,
};
#define HDF5_DEFAULT	      0 /* property lists */
#define HDF5_ALL	      0 /* of a space */
#define HDF5_BIG_ENDIAN	      1
#define HDF5_DIMENSIONS	      32 /* at most */
#define HDF5_OBJECT_REFERENCE 0

struct hdf5_library {
	int (*version)(unsigned *major, unsigned *minor, unsigned *release);
	int (*silence)(hdf5_id stack, void *function, void *context);
	int (*open)(void);
	hdf5_id *access_class; /* no function, but a number */
	hdf5_id (*properties_new)(hdf5_id class);
	int (*use_stdio)(hdf5_id access);
	int (*use_cache)(hdf5_id access, int unused, size_t slots, size_t bytes, double preemption);
	hdf5_id (*file_open)(const char *name, unsigned flags, hdf5_id access);
	int (*visit)(
		hdf5_id group, int index, int order, hdf5_link_function *function, void *context);
	int (*link_value)(hdf5_id at, const char *name, void *value, size_t size, hdf5_id access);
	int (*link_unpack)(const void *value, size_t size, unsigned *flags, const char **file,
		const char **object);
	hdf5_id (*object_open)(hdf5_id at, const char *name, hdf5_id access);
	int (*object_close)(hdf5_id object);
	int (*kind)(hdf5_id object);
	int (*attribute_count)(hdf5_id object);
	hdf5_id (*attribute_open)(hdf5_id at, const char *object, int index, int order,
		uint64_t number, hdf5_id access, hdf5_id link_access);
	ssize_t (*attribute_name)(hdf5_id attribute, size_t size, char *name);
	hdf5_id (*attribute_type)(hdf5_id attribute);
	hdf5_id (*attribute_space)(hdf5_id attribute);
	int (*attribute_read)(hdf5_id attribute, hdf5_id type, void *to);
	int (*attribute_close)(hdf5_id attribute);
	hdf5_id (*dataset_type)(hdf5_id dataset);
	hdf5_id (*dataset_space)(hdf5_id dataset);
	hdf5_id (*dataset_properties)(hdf5_id dataset);
	int (*dataset_read)(hdf5_id dataset, hdf5_id type, hdf5_id memory, hdf5_id space,
		hdf5_id transfer, void *to);
	int (*reclaim)(hdf5_id type, hdf5_id space, hdf5_id transfer, void *elements);
	int (*layout)(hdf5_id properties);
	int (*chunk)(hdf5_id properties, int most, unsigned long long *sizes);
	int (*filter_count)(hdf5_id properties);
	int (*filter)(hdf5_id properties, unsigned number, unsigned *flags, size_t *value_count,
		unsigned *values, size_t name_size, char *name, unsigned *config);
	int (*properties_close)(hdf5_id properties);
	int (*space_kind)(hdf5_id space);
	int (*dimension_count)(hdf5_id space);
	int (*dimensions)(hdf5_id space, unsigned long long *now, unsigned long long *most);
	hdf5_id (*space_new)(
		int count, const unsigned long long *now, const unsigned long long *most);
	int (*select)(hdf5_id space, int how, const unsigned long long *start,
		const unsigned long long *stride, const unsigned long long *count,
		const unsigned long long *block);
	int (*space_close)(hdf5_id space);
	int (*type_class)(hdf5_id type);
	size_t (*type_size)(hdf5_id type);
	int (*type_sign)(hdf5_id type);
	int (*type_order)(hdf5_id type);
	int (*type_is_variable_string)(hdf5_id type);
	int (*type_characters)(hdf5_id type);
	int (*type_padding)(hdf5_id type);
	int (*type_member_count)(hdf5_id type);
	char *(*type_member_name)(hdf5_id type, unsigned number);
	hdf5_id (*type_member)(hdf5_id type, unsigned number);
	size_t (*type_member_place)(hdf5_id type, unsigned number);
	int (*type_member_value)(hdf5_id type, unsigned number, void *value);
	hdf5_id (*type_above)(hdf5_id type);
	int (*type_dimension_count)(hdf5_id type);
	int (*type_dimensions)(hdf5_id type, unsigned long long *sizes);
	char *(*type_tag)(hdf5_id type);
	int (*type_close)(hdf5_id type);
	int (*free)(void *memory);
	ssize_t (*reference_name)(
		hdf5_id at, int kind, const void *reference, char *name, size_t size);
};

/* -1 when it is not at hand, or of a version that is not known. It stays loaded. */
int hdf5_library_load(struct hdf5_library *library);

#endif
