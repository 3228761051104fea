/*
 * What office documents say of themselves, in XML: docProps/core.xml and app.xml of Office Open XML,
 * meta.xml of OpenDocument. Times, who wrote it last, how often and with which program are
 * bookkeeping; title, subject and the like are compared as any other XML.
 */
#ifndef STET_DIFF_OFFICE_H
#define STET_DIFF_OFFICE_H

#include "diff/compare.h"

bool office_is(const struct blob *blob);
compare_function office_compare;

#endif
