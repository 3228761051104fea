/* Two texts, or whatever bytes, from a stranger. */
#include "diff/binary.h"
#include "diff/text.h"

#include "diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diff_pair_fuzz(data, size, text_is, text_compare, "text");
	diff_pair_fuzz(data, size, binary_is, binary_compare, "bytes");
	return 0;
}
