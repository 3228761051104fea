/* The style sheet and the script of the page, embedded by page_parts.S. */
#ifndef STET_DIFF_PAGE_PARTS_H
#define STET_DIFF_PAGE_PARTS_H

#include <stdint.h>

extern const char page_style[], page_script[];
extern const uint64_t page_style_size, page_script_size;

#endif
