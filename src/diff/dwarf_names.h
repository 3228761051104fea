/* Names of the numbers in debug information, of DWARF 2 to 5 and of GNU. */
#ifndef STET_DIFF_DWARF_NAMES_H
#define STET_DIFF_DWARF_NAMES_H

#include <stdint.h>
#include <stdio.h>

/* Those that are looked at, not only shown. */
#define DW_AT_sibling	       0x01
#define DW_AT_name	       0x03
#define DW_AT_comp_dir	       0x1b
#define DW_AT_producer	       0x25
#define DW_AT_abstract_origin  0x31
#define DW_AT_specification    0x47
#define DW_AT_type	       0x49
#define DW_AT_str_offsets_base 0x72
#define DW_AT_addr_base	       0x73
#define DW_AT_GNU_addr_base    0x2133
#define DW_FORM_indirect       0x16
#define DW_FORM_implicit_const 0x21
#define DW_OP_addr	       0x03
#define DW_OP_addrx	       0xa1
#define DW_UT_type	       0x02
#define DW_UT_partial	       0x03
#define DW_UT_skeleton	       0x04
#define DW_UT_split_compile    0x05
#define DW_UT_split_type       0x06
#define DW_TAG_partial_unit    0x3c

/* Without what all begin with: "subprogram". A number where there is no name. */
void dwarf_put_tag(FILE *out, uint64_t tag);
void dwarf_put_attribute(FILE *out, uint64_t attribute);

#endif
