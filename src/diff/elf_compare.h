/*
 * ELF: programs, libraries, object files, of 32 and 64 bits and of both byte orders. Compared by
 * header, program headers, and sections, which are matched by their names and become children.
 */
#ifndef STET_DIFF_ELF_COMPARE_H
#define STET_DIFF_ELF_COMPARE_H

#include "diff/compare.h"

bool elf_is(const struct blob *blob);
compare_function elf_compare;

#endif
