/* A build of a source package, step by step: what the parts of `stet deb` share. */
#ifndef STET_CLI_DEB_H
#define STET_CLI_DEB_H

#include <jansson.h>

#include "box/scratch.h"
#include "cli/deb_options.h"
#include "deb/apt.h"
#include "deb/dsc.h"

enum { DEB_BUILDS = 2 };

/* How a build went. */
struct deb_outcome {
	int status;
	double seconds;	    /* of the container: unpacking the source, building, copying results */
	double cpu_seconds; /* of all its processes, and of Stet's own that served it */
};

struct deb {
	struct deb_options options;
	struct dsc dsc;
	struct scratch scratch; /* all that is temporary */
	char *source;		/* directory with the parts of the package, checked */
	struct apt_plan plan;	/* what was to be installed */
	char *layer;		/* what lies over the image, or NULL */
	char *tree;		/* name of the source tree: PACKAGE-VERSION */
	char *log;		/* name of the log: PACKAGE_VERSION_amd64.build */
	char *statement;	/* likewise, .intoto.json */
	struct deb_outcome builds[DEB_BUILDS];
	size_t build_count;  /* those that came to their end */
	int files;	     /* compared; -1: none were */
	json_t *differences; /* objects with a name, and how it differs */
};

/* A path in the scratch directory, to be freed. */
char *deb_place(const struct deb *deb, const char *name);
/* Shows what is done now: on a terminal, or to who wants explanations. */
void deb_tell(const struct deb *deb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets clock and environment as the source package wants them; unpacks it for that. */
int deb_build_prepare(struct deb *deb, struct error *err);
/*
 * Builds. Results, and the log, are in the directory deb_place(NAME). The answer is the status of the
 * build, or -1 with err. `other`: under other conditions, of which none may matter.
 */
int deb_build(struct deb *deb, const char *name, bool other, struct error *err);

/* Writes a statement of what went in and what came out, to the results in a directory; `builds` of
 * them gave the same. */
int deb_attest(const struct deb *deb, const char *directory, int builds, struct error *err);

/* Copies a file, or all of those in a directory, to a directory of the user's. */
int deb_deliver(const char *from, const char *to, const char *name, struct error *err);
int deb_deliver_all(const char *from, const char *to, struct error *err);

/* --json: what came of it, with a status; `failure` is why there is none of the builds, or NULL. */
int deb_json(const struct deb *deb, int status, const struct error *failure, struct error *err);

#endif
