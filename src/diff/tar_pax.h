/* Records of pax: "KEY=VALUE", which headers of tars may be followed by. */
#ifndef STET_DIFF_TAR_PAX_H
#define STET_DIFF_TAR_PAX_H

#include "diff/span.h"

/* The next record of pax's; false behind the last. */
struct tar_record {
	struct span key, value;
};
bool tar_pax_next(const struct blob *pax, uint64_t *at, struct tar_record *record);
/* The value of the last record of this key; its start is NULL where there is none. */
struct span tar_pax_find(const struct blob *pax, const char *key);
/* Are they records, and nothing else? */
bool tar_pax_is_whole(const struct blob *pax);
/* A decimal number without a sign. False when the text is none, or it is too large. */
bool tar_decimal(struct span text, uint64_t *number);

#endif
