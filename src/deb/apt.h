/*
 * What has to be installed before a source package can be built: apt finds it out from the package
 * database of an image, and downloads it, with this machine's configuration and lists. Nothing is
 * installed here, and nothing outside of the given directories is written. Uses base only.
 */
#ifndef STET_DEB_APT_H
#define STET_DEB_APT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct apt_request {
	const char *dsc;     /* absolute path */
	const char *status;  /* of the image: its var/lib/dpkg/status */
	const char *scratch; /* directory for what apt wants to write */
};

/* A step of the installation, in the order that dependencies need. */
struct apt_step {
	bool configure; /* else: unpack */
	char *package;	/* with :ARCH where that is not the machine's own */
	char *exact;	/* PACKAGE=VERSION */
	char *file;	/* name of its .deb */
};

/* Zeroed at first; to be released in any case. */
struct apt_plan {
	struct apt_step *steps;
	size_t count;
};

/* An empty plan: all is there. */
int apt_plan(const struct apt_request *request, struct apt_plan *plan, struct error *err);
/* Brings the .debs of the plan into a directory. */
int apt_download(const struct apt_request *request, const struct apt_plan *plan,
	const char *directory, struct error *err);
void apt_plan_release(struct apt_plan *plan);

#endif
