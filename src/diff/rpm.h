/* RPM packages: tags of the signature and of the header become members, and the payload one more. */
#ifndef STET_DIFF_RPM_H
#define STET_DIFF_RPM_H

#include "diff/compare.h"

bool rpm_is(const struct blob *blob);
compare_function rpm_compare;

#endif
