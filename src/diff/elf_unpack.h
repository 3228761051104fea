/* Sections that are packed, as those of debug info often are: compared by what is in them. */
#ifndef STET_DIFF_ELF_UNPACK_H
#define STET_DIFF_ELF_UNPACK_H

#include "diff/elf_parts.h"

struct elf_unpacked {
	struct blob blob;
	const char *packing; /* "zlib", "zstd"; NULL: it is as it was */
};

/* What is in a section; as it is when it is not packed, or is damaged. -1 with err: a limit. */
int elf_unpack(struct elf_unpacked *unpacked, const struct elf *elf,
	const struct elf_section *section, struct budget *budget, struct error *err);
void elf_unpack_close(struct elf_unpacked *unpacked, struct budget *budget);

#endif
