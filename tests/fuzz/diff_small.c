/* Two single files of a common format from a stranger: the first byte chooses the format. */
#include "diff/class.h"
#include "diff/git_pack.h"
#include "diff/hdf5.h"
#include "diff/jpeg.h"
#include "diff/json.h"
#include "diff/man.h"
#include "diff/mo.h"
#include "diff/office.h"
#include "diff/pdf.h"
#include "diff/png.h"
#include "diff/pyc.h"
#include "diff/sqlite.h"
#include "diff/xml.h"

#include "diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Corpora know these by their places: new ones come last. */
static const struct {
	bool (*is)(const struct blob *blob);
	compare_function *compare;
	const char *name;
} formats[] = {
	{ json_is, json_compare, "JSON" },
	{ png_is, png_compare, "PNG" },
	{ pyc_is, pyc_compare, "pyc" },
	{ class_is, class_compare, "Java class" },
	{ mo_is, mo_compare, "gettext .mo" },
	{ pdf_is, pdf_compare, "PDF" },
	{ jpeg_is, jpeg_compare, "JPEG" },
	{ sqlite_is, sqlite_compare, "SQLite" },
	{ xml_is, xml_compare, "XML" },
	{ git_pack_is, git_pack_compare, "git pack" },
	{ man_is, man_compare, "man page" },
	{ office_is, office_compare, "document properties" },
	{ hdf5_is, hdf5_compare, "HDF5" },
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t chosen;

	if (!size)
		return 0;
	chosen = data[0] % FORMATS;
	diff_pair_fuzz(data + 1, size - 1, formats[chosen].is, formats[chosen].compare,
		formats[chosen].name);
	return 0;
}
