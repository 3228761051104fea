/* Two ELF files from a stranger. */
#include "diff/elf_compare.h"

#include "diff_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diff_pair_fuzz(data, size, elf_is, elf_compare, "ELF");
	return 0;
}
