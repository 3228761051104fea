/* Gives all files of a directory one owner, or takes bits from their modes: what follows from whom a
 * command ran as, and with which umask, is not what it gave. */
#ifndef STET_VERIFY_SETTLE_H
#define STET_VERIFY_SETTLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct settle {
	bool give; /* to these */
	uid_t uid;
	gid_t gid;
	mode_t with, without; /* bits of modes */
};

/* Symbolic links are not followed, and keep their mode. */
int settle(const char *path, const struct settle *how, struct error *err);

#endif
