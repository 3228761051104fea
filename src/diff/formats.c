#include "diff/formats.h"

#include "diff/ar.h"
#include "diff/ar_index.h"
#include "diff/binary.h"
#include "diff/bundled.h"
#include "diff/bzip2.h"
#include "diff/class.h"
#include "diff/cpio.h"
#include "diff/elf_compare.h"
#include "diff/git_pack.h"
#include "diff/gzip.h"
#include "diff/hdf5.h"
#include "diff/jpeg.h"
#include "diff/json.h"
#include "diff/lz4.h"
#include "diff/man.h"
#include "diff/mo.h"
#include "diff/office.h"
#include "diff/pdf.h"
#include "diff/png.h"
#include "diff/pyc.h"
#include "diff/root.h"
#include "diff/rpm.h"
#include "diff/sqlite.h"
#include "diff/tar.h"
#include "diff/text.h"
#include "diff/xml.h"
#include "diff/xz.h"
#include "diff/zip.h"
#include "diff/zstd.h"

/* The most special first; what is text or bytes to some others is more than that. */
static const struct format formats[] = {
	{ "gzip", gzip_is, gzip_compare },
	{ "xz", xz_is, xz_compare },
	{ "bzip2", bzip2_is, bzip2_compare },
	{ "Zstandard", zstd_is, zstd_compare },
	{ "LZ4", lz4_is, lz4_compare },
	{ "lzip", lzip_is, lzip_compare },
	{ "LZMA", lzma_is, lzma_compare },
	{ "tar", tar_is, tar_compare },
	{ "Debian package", ar_is_deb, ar_compare },
	{ "ar", ar_is, ar_compare },
	{ "ar index", ar_index_is, ar_index_compare },
	{ "cpio", cpio_is, cpio_compare },
	{ "zip", zip_is, zip_compare },
	{ "RPM package", rpm_is, rpm_compare },
	{ "7-Zip", seven_zip_is, seven_zip_compare },
	{ "ISO 9660", iso9660_is, iso9660_compare },
	{ "ROOT", root_is, root_compare },
	{ "ELF", elf_is, elf_compare },
	{ "PNG", png_is, png_compare },
	{ "pyc", pyc_is, pyc_compare },
	{ "gettext .mo", mo_is, mo_compare },
	{ "Java class", class_is, class_compare },
	{ "PDF", pdf_is, pdf_compare },
	{ "JPEG", jpeg_is, jpeg_compare },
	{ "SQLite", sqlite_is, sqlite_compare },
	{ "document properties", office_is, office_compare },
	{ "HDF5", hdf5_is, hdf5_compare },
	{ "XML", xml_is, xml_compare },
	{ "git pack", git_pack_is, git_pack_compare },
	{ "man page", man_is, man_compare },
	{ "JSON", json_is, json_compare },
	{ "text", text_is, text_compare },
	{ "bytes", binary_is, binary_compare },
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *formats_next(const struct format *after, const struct pair *pair)
{
	for (const struct format *format = after ? after + 1 : formats; format < formats + FORMATS;
		format++)
		if (format->is(&pair->a) && format->is(&pair->b))
			return format;
	return NULL;
}
