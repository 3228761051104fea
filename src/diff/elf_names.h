/* What numbers in ELF files are called. */
#ifndef STET_DIFF_ELF_NAMES_H
#define STET_DIFF_ELF_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* "other" for unknown ones. */
const char *elf_segment_type(uint32_t type);
const char *elf_file_type(unsigned type);
/* NULL for unknown ones. */
const char *elf_dynamic_tag(uint64_t tag);
const char *elf_x86_64_relocation(uint32_t type);

/* Is the value of such an entry the place of a string? */
bool elf_dynamic_is_text(uint64_t tag);

#endif
