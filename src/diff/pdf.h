/*
 * PDF, by objects: dates, ids and the producer are bookkeeping, and so are places of objects in the
 * file and the packing of their streams.
 */
#ifndef STET_DIFF_PDF_H
#define STET_DIFF_PDF_H

#include "diff/compare.h"

bool pdf_is(const struct blob *blob);
compare_function pdf_compare;

#endif
