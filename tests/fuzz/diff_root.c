/* Two ROOT files from a stranger. */
#include "diff/root.h"

#include "diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diff_pair_fuzz(data, size, root_is, root_compare, "ROOT");
	return 0;
}
