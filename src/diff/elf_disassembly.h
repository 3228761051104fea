/* Machine code of x86 as lines, by Zydis. */
#ifndef STET_DIFF_ELF_DISASSEMBLY_H
#define STET_DIFF_ELF_DISASSEMBLY_H

#include "diff/elf_functions.h"

/* One instruction a line; false for code of other machines. */
elf_lines_function elf_lines_of_code;

/* Are these the same instructions, but for distances to, and addresses of, what is elsewhere? */
bool elf_code_only_moved(const struct elf_part *a, const struct elf_part *b);

#endif
