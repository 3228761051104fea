/* Build dependencies: what the image lacks is installed over it, once, and kept in the cache. */
#ifndef STET_CLI_DEB_PACKAGES_H
#define STET_CLI_DEB_PACKAGES_H

#include "cli/deb_options.h"
#include "deb/apt.h"

struct deb_packages {
	const struct deb_options *options; /* with the image opened, and its digest known */
	const char *dsc;		   /* absolute path */
	const char *scratch;		   /* temporary directory, in the cache */
	const char *log;		   /* file for what the installation says */
};

/* Fills the plan, which is zeroed at first; *layer is a directory with the files that must lie over the image's, to be freed, or NULL when the
 * image has all that is needed. */
int deb_packages_layer(const struct deb_packages *packages, struct apt_plan *plan, char **layer,
	struct error *err);

#endif
