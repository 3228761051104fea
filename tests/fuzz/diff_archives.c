/* Two archives or compressed files from a stranger, and what is in them. */
#include "diff/ar.h"
#include "diff/bundled.h"
#include "diff/bzip2.h"
#include "diff/cpio.h"
#include "diff/gzip.h"
#include "diff/lz4.h"
#include "diff/rpm.h"
#include "diff/tar.h"
#include "diff/xz.h"
#include "diff/zip.h"
#include "diff/zstd.h"

#include "diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	bool (*is)(const struct blob *blob);
	compare_function *compare;
} formats[] = {
	{ ar_is, ar_compare },
	{ bzip2_is, bzip2_compare },
	{ cpio_is, cpio_compare },
	{ gzip_is, gzip_compare },
	{ iso9660_is, iso9660_compare },
	{ lz4_is, lz4_compare },
	{ lzip_is, lzip_compare },
	{ lzma_is, lzma_compare },
	{ rpm_is, rpm_compare },
	{ seven_zip_is, seven_zip_compare },
	{ tar_is, tar_compare },
	{ xz_is, xz_compare },
	{ zip_is, zip_compare },
	{ zstd_is, zstd_compare },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		diff_pair_fuzz(data, size, formats[i].is, formats[i].compare, "archive");
	return 0;
}
