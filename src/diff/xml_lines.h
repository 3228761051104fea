/* XML as lines of text that are the same for documents of the same content. */
#ifndef STET_DIFF_XML_LINES_H
#define STET_DIFF_XML_LINES_H

#include "diff/compare.h"

/* To be closed by blob_unpacked_close. NOT_THIS: not well-formed, or it defines entities. */
enum compared xml_lines_make(
	struct diff *diff, const struct blob *blob, struct blob *lines, struct error *err);

#endif
