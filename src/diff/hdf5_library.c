#include "diff/hdf5_library.h"

#include <dlfcn.h>

/* As Debian and others name it; the numbers are those of its interface. */
static const char *const names[] = {
	"libhdf5_serial.so.310",
	"libhdf5_serial.so.200",
	"libhdf5_serial.so.103",
	"libhdf5.so.310",
	"libhdf5.so.200",
	"libhdf5.so.103",
};

#define PLACE(member) offsetof(struct hdf5_library, member)

static const struct {
	const char *name, *other; /* in later versions */
	size_t place;
} functions[] = {
	{ "H5get_libversion", NULL, PLACE(version) },
	{ "H5Eset_auto2", NULL, PLACE(silence) },
	{ "H5open", NULL, PLACE(open) },
	{ "H5P_CLS_FILE_ACCESS_ID_g", NULL, PLACE(access_class) },
	{ "H5Pcreate", NULL, PLACE(properties_new) },
	{ "H5Pset_fapl_stdio", NULL, PLACE(use_stdio) },
	{ "H5Pset_cache", NULL, PLACE(use_cache) },
	{ "H5Fopen", NULL, PLACE(file_open) },
	{ "H5Lvisit", "H5Lvisit1", PLACE(visit) },
	{ "H5Lget_val", NULL, PLACE(link_value) },
	{ "H5Lunpack_elink_val", NULL, PLACE(link_unpack) },
	{ "H5Oopen", NULL, PLACE(object_open) },
	{ "H5Oclose", NULL, PLACE(object_close) },
	{ "H5Iget_type", NULL, PLACE(kind) },
	{ "H5Aget_num_attrs", NULL, PLACE(attribute_count) },
	{ "H5Aopen_by_idx", NULL, PLACE(attribute_open) },
	{ "H5Aget_name", NULL, PLACE(attribute_name) },
	{ "H5Aget_type", NULL, PLACE(attribute_type) },
	{ "H5Aget_space", NULL, PLACE(attribute_space) },
	{ "H5Aread", NULL, PLACE(attribute_read) },
	{ "H5Aclose", NULL, PLACE(attribute_close) },
	{ "H5Dget_type", NULL, PLACE(dataset_type) },
	{ "H5Dget_space", NULL, PLACE(dataset_space) },
	{ "H5Dget_create_plist", NULL, PLACE(dataset_properties) },
	{ "H5Dread", NULL, PLACE(dataset_read) },
	{ "H5Dvlen_reclaim", NULL, PLACE(reclaim) },
	{ "H5Pget_layout", NULL, PLACE(layout) },
	{ "H5Pget_chunk", NULL, PLACE(chunk) },
	{ "H5Pget_nfilters", NULL, PLACE(filter_count) },
	{ "H5Pget_filter2", NULL, PLACE(filter) },
	{ "H5Pclose", NULL, PLACE(properties_close) },
	{ "H5Sget_simple_extent_type", NULL, PLACE(space_kind) },
	{ "H5Sget_simple_extent_ndims", NULL, PLACE(dimension_count) },
	{ "H5Sget_simple_extent_dims", NULL, PLACE(dimensions) },
	{ "H5Screate_simple", NULL, PLACE(space_new) },
	{ "H5Sselect_hyperslab", NULL, PLACE(select) },
	{ "H5Sclose", NULL, PLACE(space_close) },
	{ "H5Tget_class", NULL, PLACE(type_class) },
	{ "H5Tget_size", NULL, PLACE(type_size) },
	{ "H5Tget_sign", NULL, PLACE(type_sign) },
	{ "H5Tget_order", NULL, PLACE(type_order) },
	{ "H5Tis_variable_str", NULL, PLACE(type_is_variable_string) },
	{ "H5Tget_cset", NULL, PLACE(type_characters) },
	{ "H5Tget_strpad", NULL, PLACE(type_padding) },
	{ "H5Tget_nmembers", NULL, PLACE(type_member_count) },
	{ "H5Tget_member_name", NULL, PLACE(type_member_name) },
	{ "H5Tget_member_type", NULL, PLACE(type_member) },
	{ "H5Tget_member_offset", NULL, PLACE(type_member_place) },
	{ "H5Tget_member_value", NULL, PLACE(type_member_value) },
	{ "H5Tget_super", NULL, PLACE(type_above) },
	{ "H5Tget_array_ndims", NULL, PLACE(type_dimension_count) },
	{ "H5Tget_array_dims2", NULL, PLACE(type_dimensions) },
	{ "H5Tget_tag", NULL, PLACE(type_tag) },
	{ "H5Tclose", NULL, PLACE(type_close) },
	{ "H5free_memory", NULL, PLACE(free) },
	{ "H5Rget_name", NULL, PLACE(reference_name) },
};

static int find_functions(struct hdf5_library *library, void *handle)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function && functions[i].other)
			function = dlsym(handle, functions[i].other);
		if (!function)
			return -1;
		*(void **)((char *)library + functions[i].place) = function;
	}
	return 0;
}

/* Before 1.10 numbers of objects had four bytes. */
static int check_version(const struct hdf5_library *library)
{
	unsigned major, minor, release;

	if (library->version(&major, &minor, &release) < 0)
		return -1;
	return major == 1 && minor >= 10 ? 0 : -1;
}

int hdf5_library_load(struct hdf5_library *library)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		if (handle)
			return find_functions(library, handle) || check_version(library) ? -1 : 0;
	}
	return -1;
}
